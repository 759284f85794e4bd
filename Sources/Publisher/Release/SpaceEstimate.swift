internal import Platform

/// The space that a release will take, as far as it can be known before anything is made.
struct SpaceEstimate: Equatable {
  private(set) var needed: UInt64

  /// Catalog and directories.
  private static var margin: UInt64 { 8 << 20 }

  /// Adds the `new` components, and as much again for the payloads of the `changed` ones.
  ///
  /// What is not smaller than a component is not kept, and most patches are far smaller.
  /// Each of the `jobs` keeps what it is making beside what it has made.
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
