internal import Platform
internal import Store

/// The beginning and the end of every operation: what it took is counted, and written down.
extension Updater {
  /// Counts from zero what an operation takes.
  func begin(_ command: String, for operation: QueuedOperation? = nil) -> OperationStart {
    events.begin()
    return OperationStart(
      command: command, operation: operation, milliseconds: Clock.milliseconds, downloaded: downloaded)
  }

  /// Carries out what is no operation of the queue, and writes down how it ended.
  func reported(
    _ command: String, _ body: (inout RunFigures) throws(Failure) -> OperationReport.Ending
  ) -> OperationReport {
    let start = begin(command)
    var figures = RunFigures()
    let ending: OperationReport.Ending
    do throws(Failure) { ending = try body(&figures) } catch { ending = .failed(error) }
    let report = report(of: start, ending: ending, figures: figures)
    close(report)
    return report
  }

  /// The report of an operation that ends now.
  func report(
    of start: OperationStart, ending: OperationReport.Ending, figures: RunFigures = RunFigures()
  ) -> OperationReport {
    OperationReport(
      start.command, for: start.operation, ending: ending, figures: figures, failures: events.failures,
      downloaded: downloaded - start.downloaded, milliseconds: Clock.milliseconds - start.milliseconds)
  }

  /// Writes the history's line and publishes the ending.
  func close(_ report: OperationReport) {
    record(report.historyEntry(reserve: configuration.spaceReserve, after: hasFailed))
    // Without the queue, nobody waits for it.
    if report.operation != nil { events.publish(.ended(report)) }
    if case .done(let outcome) = report.ending, let change = outcome.change {
      events.publish(.changed(from: change.from, to: change.to))
    }
    events.end()
  }

  /// The last line of the history is about a failure.
  private var hasFailed: Bool {
    do throws(Failure) {
      return try RecentRuns(of: configuration.root).last.map { $0.exitCode != 0 } ?? false
    } catch {
      return false
    }
  }

  /// Adds a line to the history; a store that cannot be written to has said so already.
  func record(_ entry: HistoryEntry?) {
    guard let entry else { return }
    do throws(Failure) { try History(opening: configuration.root).record(entry) } catch {}
  }
}
