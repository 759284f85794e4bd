package import Platform

/// The runs at the end of a history.
package struct RecentRuns {
  package private(set) var last: HistoryEntry?
  package private(set) var failed: HistoryEntry?
  /// A run after `failed` has succeeded; what `boot` mended by itself is none.
  package private(set) var hasSucceeded = false

  /// There are none where there is no store.
  package init(of root: String) throws(Failure) {
    do throws(Failure) { try History(opening: root).forEachEntry { add($0) } } catch {
      guard case .noStore = error else { throw error }
    }
  }

  /// - `entries`: the oldest first.
  package init(_ entries: [HistoryEntry]) {
    for entry in entries { add(entry) }
  }

  private mutating func add(_ entry: HistoryEntry) {
    last = entry
    if entry.isFailure {
      (failed, hasSucceeded) = (entry, false)
    } else if entry.exitCode != ResultCode.cancelled.rawValue, entry.command != "boot" {
      hasSucceeded = true
    }
  }
}
