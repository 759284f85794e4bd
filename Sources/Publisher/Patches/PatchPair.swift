internal import DeltaCreate

/// Two files on the disk that a patch is made between; sizes are in bytes.
struct PatchPair: Sendable {
  /// A path; nil for a packed component.
  let old: String?
  let oldSize: UInt64
  /// A path.
  let new: String
  let newSize: UInt64

  /// - `limit`: the bytes of memory that the search may take.
  func plan(limit: Int) -> SearchBudget {
    SearchBudget.choose(old: Int(clamping: oldSize), new: Int(clamping: newSize), limit: limit)
  }
}
