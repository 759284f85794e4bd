internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// The commands that change the store.
struct Changes {
  private let configuration: Configuration
  private let style: OutputStyle
  private let reporter: Reporter

  init(_ configuration: Configuration, _ style: OutputStyle) {
    self.configuration = configuration
    self.style = style
    reporter = Reporter(style)
  }

  private func makeUpdater() throws(UpdateError) -> Updater { try reporter.makeUpdater(configuration) }

  // MARK: - Operations of the queue

  /// Puts the operation into the queue and works on that until it is empty; the operation's own exit status.
  ///
  /// While another process works, this one waits and shows its progress, or leaves if `isWaiting` is false.
  func run(_ operation: Operation, isWaiting: Bool = true) throws(UpdateError) -> ExitStatus {
    let updater = try makeUpdater()
    let own: UInt64
    do throws(UpdateError) { own = try updater.enqueue(operation) } catch {
      guard error.disposition == .outOfSpace else { throw error }
      return try runAlone(operation, updater)
    }
    var status: ExitStatus?
    var waiting = Waiting(own, configuration.root, style)
    var skipped: [UInt64] = []
    while !StopSignal.isRaised {
      do throws(UpdateError) {
        guard let report = try updater.runNextOperation(submittedAs: own, skipping: skipped) else { break }
        waiting.finish()
        guard let ended = say(report, of: own) else { continue }
        if report.operation?.number == own { status = ended }
        if let number = report.operation?.number { skipped.append(number) }
      } catch {
        // What has been done is done, whatever the look for more work has met.
        if status != nil { break }
        guard error.disposition == .busy else { throw error }
        if let ended = try waiting.look(isWaiting: isWaiting) { return ended }
      }
      if status == nil, let ended = try waiting.result() { return ended }
    }
    if let status { return status }
    if let ended = try waiting.result() { return ended }
    guard StopSignal.isRaised else { return waiting.reportUnknown() }
    guard StopSignal.isCancellation else { return style.report(.stopped) }
    return try updater.withdraw(own) ? style.report(.cancelled) : waiting.resultOfCancelling()
  }

  /// Continues with what an earlier run left in the queue, and with `operation`.
  ///
  /// No process waits for it: a signal, as at a shutdown, cancels nothing, and what is left waits for the next start.
  func resume(with operation: Operation? = nil) throws(UpdateError) {
    let updater = try makeUpdater()
    var added: UInt64?
    if let operation { added = try updater.enqueue(operation) }
    var skipped: [UInt64] = []
    while !StopSignal.isRaised {
      do throws(UpdateError) {
        guard let report = try updater.runNextOperation(skipping: skipped) else { return }
        if say(report, of: nil) != nil, let number = report.operation?.number { skipped.append(number) }
      } catch {
        guard error.disposition == .busy, let added, try isQueued(added) else { throw error }
        Clock.sleep(milliseconds: 200)
      }
    }
  }

  private func isQueued(_ number: UInt64) throws(UpdateError) -> Bool {
    do throws(StoreError) { return try OperationQueue(making: configuration.root).contains(number) } catch {
      throw UpdateError(error)
    }
  }

  /// On a file system that is too full for the queue, uninstalling, or a plan that says what is needed, still works.
  private func runAlone(_ operation: Operation, _ updater: borrowing Updater) throws(UpdateError)
    -> ExitStatus
  {
    let report: OperationReport
    do throws(UpdateError) { report = try updater.runAlone(operation) } catch { return style.report(error) }
    reporter.finish()
    return say(report, of: nil) ?? .success
  }

  // MARK: - Back

  func rollBack() throws(UpdateError) -> ExitStatus {
    let report: OperationReport
    do throws(UpdateError) { report = try makeUpdater().rollBack() } catch { return style.report(error) }
    return say(report, of: nil) ?? .success
  }

  /// Gives up the way back, and with it the space of the generation before.
  func confirm() throws(UpdateError) -> ExitStatus {
    let removed = try makeUpdater().confirm()
    style.say(removed ? "confirm: all other maps are deleted" : "confirm: there are no other maps")
    style.emitResult(.success) { json in json.add("removed", removed) }
    return .success
  }

  // MARK: - Cancelling

  func cancel(_ ids: [String]) throws(UpdateError) -> ExitStatus {
    let cancellation = try makeUpdater().cancel(ids)
    for sentence in cancellation.sentences { style.say("cancel: \(sentence)") }
    style.emitResult(.success) { json in
      json.add("cancelled", cancellation.cancelled.count)
      json.add("ended", cancellation.ended.count)
      json.add("pending", cancellation.pending.count)
    }
    return .success
  }

  // MARK: - Words

  /// Says how an operation ended; nil if it has not.
  ///
  /// - `own`: the operation that this process was started for; one that has no number is its own as well.
  private func say(_ report: OperationReport, of own: UInt64?) -> ExitStatus? {
    let isOwn = report.operation.map { $0.number == own } ?? true
    switch report.ending {
    case .done(let outcome):
      say(outcome, report)
      if isOwn { emitResult(outcome, report) }
      return .success
    case .failed(let error): return isOwn ? style.report(error) : style.complain(error, of: report.command)
    case .steppedAside(let other):
      style.say("\(report.command): waiting for operation \(other), which takes priority")
      return nil
    case .narrowed:
      style.say("\(report.command): a part of it was cancelled")
      return nil
    }
  }

  private func say(_ outcome: Outcome, _ report: OperationReport) {
    switch outcome {
    case .changed(let from, let to):
      let moved = from == nil || from == to ? "\(to.text)" : "from \(from?.text ?? "") to \(to.text)"
      let effort =
        report.plan == nil
        ? "" : ", \(ByteCount(report.downloaded).text) downloaded, \(Changes.duration(report.milliseconds))"
      style.say("\(report.command): \(moved)\(effort)")
      Log.add(.info, "\(moved)\(effort)", isSaid: true)
    case .nothingToDo(let release):
      Log.add(.info, "nothing to do", isSaid: true)
      style.say(
        release.map { "\(report.command): nothing to do, \($0.text) is installed" }
          ?? "\(report.command): nothing is installed")
    }
  }

  private func emitResult(_ outcome: Outcome, _ report: OperationReport) {
    style.emitResult(.success) { json in
      if case .changed(let from, let to) = outcome {
        if let from { json.add("from", from.json) }
        json.add("to", to.json)
      }
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

extension Cancellation {
  fileprivate var sentences: [String] {
    var sentences: [String] = []
    func add(_ numbers: [UInt64], _ words: String) {
      guard !numbers.isEmpty else { return }
      sentences.append("\(numbers.count) operation\(numbers.count == 1 ? "" : "s") \(words)")
    }
    add(cancelled, "cancelled")
    add(ended, "had already ended; see \"tinyupdater history\"")
    add(pending, "will be cancelled when the process that holds the store looks at the queue")
    return sentences.isEmpty ? ["no pending operations"] : sentences
  }
}
