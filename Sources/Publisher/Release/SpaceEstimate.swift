internal import Platform

/// The space that a release will take, estimated before anything is written.
struct SpaceEstimate: Equatable {
  private(set) var needed: UInt64

  /// For the catalog and directories.
  private static var margin: UInt64 { 8 << 20 }

  /// Adds up the `new` components, and the same again for the payloads of the `changed` ones.
  ///
  /// A payload that is not smaller than its component is not kept, and most patches are far smaller.
  /// Each of the `jobs` holds an unfinished payload in addition to the finished ones.
  init(new: [UInt64], changed: [UInt64], jobs: Int, space: Space) {
    needed = SpaceEstimate.margin
    for size in new { needed = needed.saturatingSum(space.allocated(size)) }
    for size in changed { needed = needed.saturatingSum(space.allocated(size)) }
    for size in changed.sorted(by: >).prefix(jobs) {
      needed = needed.saturatingSum(space.allocated(size))
    }
  }

  func check(_ space: Space, path: String) throws(PublisherError) {
    guard needed <= space.available else {
      throw .repository(.noSpace(path: path, needed: needed, available: space.available))
    }
  }
}
