internal import MapModel
internal import MapTree
internal import Platform

/// Counts the download of an operation over all its components.
struct DownloadMeter {
  private var total: UInt64 = 0
  /// Bytes that this run downloads for the components before the current one.
  private var before: UInt64 = 0
  private var current: Download?
  /// Bytes of the containers of the current payload that are applied.
  private var applied: UInt64 = 0

  private struct Download {
    let name: ComponentName
    /// Bytes of the payload that were not there when it began.
    let missing: UInt64
    /// Bytes that were.
    let present: UInt64
  }

  /// - `total`: the plan's bytes on the wire.
  init(total: UInt64 = 0) { self.total = total }

  /// A component's payload is downloaded next, all but `present` bytes of it.
  mutating func begin(_ name: ComponentName, by payload: Payload, present: UInt64) {
    let present = min(present, payload.download)
    let missing = payload.download - present
    if let current {
      if current.name == name {
        // It comes as another payload than was planned.
        total = (total - min(total, current.missing)).saturatingSum(missing)
      } else {
        before = before.saturatingSum(current.missing)
      }
    }
    current = Download(name: name, missing: missing, present: present)
    applied = 0
  }

  /// The next container of the payload counts from zero.
  mutating func advance(by size: UInt64) { applied = applied.saturatingSum(size) }

  /// The payload is downloaded again from its start.
  mutating func startAgain() { applied = 0 }

  /// Bytes that are downloaded once `count` bytes of the current container, or file, are there; nil before the first
  /// component.
  func progress(_ count: UInt64) -> (done: UInt64, total: UInt64)? {
    guard let current else { return nil }
    let there = applied.saturatingSum(count)
    return (before.saturatingSum(there - min(current.present, there)), total)
  }
}
