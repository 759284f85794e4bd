/// What staging holds of a component already, in bytes.
struct StagedShare: Equatable {
  /// Not downloaded again.
  var fetched: UInt64 = 0
  /// On disk: its own file, files that exist only until it is complete, and its index.
  var file: UInt64 = 0
  var temporary: UInt64 = 0
  var index: UInt64 = 0
}
