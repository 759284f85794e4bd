/// The columns of a block, in this order; each may be missing.
package enum BlockColumn: Int, CaseIterable, Sendable {
  /// A `PatchOperation` for each operation (`OperationColumn`).
  case operations
  /// A `CopyRecord` for each operation.
  case copies
  /// `DifferenceRun`s, for the bytes of all copies that have differences.
  case runs
  /// The bytes that `runs` counts as different, each modulo 256 minus the copied one.
  case differences
  /// The numbers of `numbers` operations, as `NumberHistory` encodes them.
  case numbers
  /// A `DeflateTarget` for each deflate stream that begins in the block, with the gap before it.
  case targets
  /// Bytes that no operation makes.
  case literals
}
