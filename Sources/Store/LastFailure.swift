internal import Platform

/// The run that failed last, and whether that still matters.
///
/// A run that succeeds makes an older failure over. A run that could not even reach the repository is over as well once
/// that was reached: what it had to do may have been done meanwhile, or does not have to be done any more.
package struct LastFailure: Equatable {
  package let entry: HistoryEntry
  /// Nothing has shown since that its cause is gone.
  package let matters: Bool

  /// - `runs`: those of the history.
  /// - `contact`: the last time that the repository was reached.
  package init?(_ runs: RecentRuns, contact: RepositoryContact?) {
    guard let entry = runs.failed else { return nil }
    self.entry = entry
    let wasReached = entry.isOfReach && contact?.failure == entry.time
    matters = !runs.hasSucceeded && !wasReached
  }
}

extension HistoryEntry {
  /// It ended with an error that is not a user's wish or a shutdown.
  package var isFailure: Bool {
    exitCode != ResultCode.success.rawValue && exitCode != ResultCode.incomplete.rawValue
      && exitCode != ResultCode.cancelled.rawValue
  }

  /// It failed before it had learned what the repository has: of all files, metadata is asked for first.
  fileprivate var isOfReach: Bool {
    exitCode == ResultCode.connectionFailed.rawValue
      && (text.isEmpty || text.parts(separatedBy: " ")[0].parts(separatedBy: "/").contains("metadata"))
  }
}
