internal import MapModel
internal import Platform
internal import Store
internal import Updater

extension Console {
  /// Says how an operation ended and returns its exit status; nil if it has not ended.
  ///
  /// - `own`: the operation that this process was started for; one without a number is its own as well.
  func say(_ report: OperationReport, own: UInt64?) -> ExitStatus? {
    let isOwn = report.operation.map { $0.number == own } ?? true
    switch report.ending {
    case .done(let outcome):
      say(outcome, of: report)
      if isOwn { emitResult(outcome, of: report) }
      return outcome.code
    case .failed(let error): return isOwn ? self.report(error) : complain(error, of: report.command)
    case .steppedAside(let other):
      say("\(report.command): waiting for operation \(other), which takes priority")
      return nil
    case .postponed(let obstacle):
      postpone(report.command, obstacle)
      return nil
    case .narrowed:
      say("\(report.command): a part of it was cancelled")
      return nil
    }
  }

  /// Says why an automatic operation waits.
  func postpone(_ command: String, _ obstacle: Obstacle) {
    Log.add(.info, text: "waits: \(obstacle.sentence)", standardError: .written)
    say("\(command): waits: \(obstacle.sentence)")
  }

  private func say(_ outcome: Outcome, of report: OperationReport) {
    switch outcome {
    case .changed(let from, let to), .incomplete(let from, let to), .partial(let from, let to, _):
      let moved = from == nil || from == to ? "\(to.text)" : "from \(from?.text ?? "") to \(to.text)"
      let effort =
        report.plan == nil
        ? "" : ", \(ByteCount(report.downloaded).text) downloaded, \(Console.duration(report.milliseconds))"
      say("\(report.command): \(moved)\(effort)")
      Log.add(.info, text: "\(moved)\(effort)", standardError: .written)
    case .staged, .standsBy:
      Log.add(.info, text: outcome.sentence, standardError: .written)
      let effort =
        report.plan == nil
        ? "" : " (\(ByteCount(report.downloaded).text) downloaded, \(Console.duration(report.milliseconds)))"
      say("\(report.command): \(outcome.sentence)\(effort)")
    case .nothingToDo(let release):
      let nothing = report.command == "repair" ? "nothing to repair" : "nothing to do"
      Log.add(.info, text: nothing, standardError: .written)
      say(
        release.map { "\(report.command): \(nothing), \($0.text) is installed" }
          ?? "\(report.command): nothing is installed")
    }
  }

  private func emitResult(_ outcome: Outcome, of report: OperationReport) {
    emitResult(outcome.code) { json in
      if outcome.code != .success { json.add("message", outcome.sentence) }
      if let (from, to) = outcome.change {
        if let from { json.add("from", from.json) }
        json.add("to", to.json)
      }
      if !report.figures.refused.isEmpty { json.add("refused", report.figures.refused) }
      if let standby = outcome.standby { json.add("standby", standby.json) }
      json.add("downloaded", report.downloaded)
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
      json.add("milliseconds", report.milliseconds)
    }
  }

  /// Such as "0.4 s" or "2 min 5 s".
  private static func duration(_ milliseconds: UInt64) -> String {
    guard milliseconds < 10_000 else { return ProgressBar.duration((milliseconds + 500) / 1000) }
    return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }
}
