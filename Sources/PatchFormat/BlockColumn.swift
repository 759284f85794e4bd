/// The columns of a block, in this order; each may be missing.
package enum BlockColumn: Int, CaseIterable, Sendable {
  /// A `PatchOperation` for each operation; without the column all of them are `PatchOperation.implied`.
  case operations
  /// A `CopyRecord` for each operation.
  case copies
  /// `DifferenceRun`s, for the bytes of all copies that are not reversed.
  case runs
  /// The bytes that `runs` counts as different, each modulo 256 minus the copied one.
  case differences
  /// The numbers of `numbers` operations, as `NumberHistory` encodes them.
  case numbers
  /// For each deflate stream how many bytes precede it, since the beginning of the block or the last stream, and a
  /// `DeflateTarget`.
  case targets
  /// Bytes that no operation makes.
  case literals
}
