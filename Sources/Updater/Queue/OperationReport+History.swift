internal import MapModel
internal import Platform
internal import Store

extension OperationReport {
  /// The line of the history; nil if there is none: nothing was changed, or nothing was tried.
  ///
  /// - `reserve`: bytes that the configuration leaves free.
  /// - `hasFailed`: the last line is about a failure: a run that finds nothing to do ends that.
  func historyEntry(reserve: UInt64, after hasFailed: @autoclosure () -> Bool) -> HistoryEntry? {
    let (code, from, to): (ResultCode, Release?, Release?)
    var result: String?
    switch ending {
    case .done(let outcome):
      guard !outcome.changesNothing || hasFailed() else { return nil }
      (code, from, to) = (outcome.code, outcome.releases.from, outcome.releases.to)
      if outcome.standby != nil { result = "staged" }
    case .failed(let error):
      (code, from, to) = (error.result, nil, nil)
      guard code != .busy && code != .usage else { return nil }
    case .steppedAside, .postponed, .narrowed: return nil
    }
    var entry = HistoryEntry(
      time: Clock.now, command: command, result: result ?? code.name, exitCode: code.rawValue,
      from: from?.number ?? 0,
      to: to?.number ?? 0, downloaded: downloaded, peakResident: MemoryBudget.peakResident ?? 0,
      milliseconds: milliseconds)
    if let plan {
      entry.planned = HistoryFigures(
        download: plan.download, index: plan.includesIndexes ? plan.indexSize : 0, peakDisk: plan.peakDisk)
      entry.reserve = reserve
    }
    entry.happened = HistoryFigures(
      download: figures.fetched, index: figures.indexed, peakDisk: figures.peakDisk)
    entry.failedAttempts = failedAttempts
    entry.text = lastFailure
    if case .failed(let error) = ending, entry.text.isEmpty, code != .connectionFailed, code != .cancelled {
      entry.text = error.cause
    }
    if entry.text.isEmpty, entry.isRemark, let plan {
      entry.text = plan.departures.map { $0.sentence }.joined(by: "; ")
    }
    return entry
  }
}
