package import MapModel

/// The answer to what an operation would do.
package struct PlannedOperation {
  package let plan: Plan
  /// Nil if there is nothing to do.
  package let target: Release?
  /// Bytes that the operation may use.
  package let available: UInt64
  /// Files and directories (inodes) that it may use; nil where the file system has no such bound.
  package let files: UInt64?
  /// Where the operation would find room.
  package let room: Room
  /// The setting that would give it room, if `room` is `none` and one would.
  package let sufficient: LowSpace?
  /// What it would take in place, if that is where it finds room, or would.
  package let inPlace: InPlaceEstimate?
  /// Packages that came because of the place of the device, and would be removed first to make room.
  package let giving: [PackageID]
  /// It would make the generation before current again, which is kept: nothing is downloaded or made.
  package let isRollback: Bool
}
