internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// Puts operations into the queue and carries out what is in it.
struct QueueRunner {
  private let configuration: Configuration
  private let console: Console
  private let reporter: Reporter

  init(_ session: Session) {
    configuration = session.configuration
    console = session.console
    reporter = Reporter(session.console)
  }

  /// Puts the operation into the queue, works until the queue is empty, and returns the operation's own exit status.
  func run(_ operation: Operation, whenBusy: WhenBusy) throws(Failure) -> ExitStatus {
    let updater = try reporter.makeUpdater(configuration)
    if let obstacle = configuration.automatic.obstacle(to: operation) { return postpone(operation, obstacle) }
    if configuration.bundle != nil { return runFromBundle(operation, by: updater, whenBusy: whenBusy) }
    let own: UInt64
    do throws(Failure) { own = try updater.enqueue(operation) } catch {
      guard error.disposition == .outOfSpace else { throw error }
      return runAlone(operation, by: updater)
    }
    var status: ExitStatus?
    // What the place of the device asks for belongs to the update, whose result comes last.
    var last: OperationReport?
    var wait = OperationWait(own, root: configuration.root, console: console)
    var skipped: [UInt64] = []
    while !StopSignal.isRaised {
      do throws(Failure) {
        guard let report = try updater.runNextOperation(submittedAs: own, skipping: skipped) else { break }
        wait.finish()
        if case .postponed(let obstacle) = report.ending, report.operation?.number == own {
          return postpone(operation, obstacle)
        }
        if report.operation?.number == own, case .done(let outcome) = report.ending, updater.hasArea {
          (last, status) = (report, outcome.code)
          continue
        }
        if last != nil, case .area = report.operation?.operation, case .failed = report.ending {
          last = report
          break
        }
        guard let ended = console.say(report, own: own), let number = report.operation?.number else {
          continue
        }
        if number == own || report.blocksQueue { status = ended }
        if report.blocksQueue { break }
        skipped.append(number)
        if !report.figures.refused.isEmpty { skipped += try updater.owedOperations() }
      } catch {
        if last != nil, updater.hasArea, error.disposition != .busy { throw error }
        // The own operation has ended, whatever happens to those of others.
        if status != nil { break }
        guard error.disposition == .busy else { throw error }
        if let ended = try wait.poll(whenBusy) { return ended }
      }
      if status == nil, let ended = try wait.result() { return ended }
    }
    if let last { return console.say(last, own: last.operation?.number) ?? .success }
    if let status { return status }
    if let ended = try wait.result() { return ended }
    guard StopSignal.isRaised else { return wait.reportUnknown() }
    guard StopSignal.isCancellation else { return console.report(.stopped) }
    return try updater.withdraw(own) ? console.report(.cancelled) : wait.resultOfCancelling()
  }

  /// The operation waits for another run of a timer; what is staged of it stays.
  private func postpone(_ operation: Operation, _ obstacle: Obstacle) -> ExitStatus {
    console.postpone(operation.word, obstacle)
    console.emitResult(.success) { json in json.add("waiting", obstacle.sentence) }
    return .success
  }

  /// Finishes an update in place, if one is under way.
  func finishPending() throws(Failure) {
    let updater = try reporter.makeUpdater(configuration)
    while !StopSignal.isRaised, let report = try updater.finishPending() {
      // Who has the store may be there for a moment only, and leave it as it is.
      guard report.failure == .busy else {
        _ = console.say(report, own: nil)
        return
      }
      Clock.sleep(milliseconds: 200)
    }
  }

  /// Begins an update in place whose downloads are stored, if that is due after a start, and makes its maps.
  func activateInPlace() throws(Failure) {
    let updater = try reporter.makeUpdater(configuration)
    guard try updater.isDueInPlace() else { return }
    _ = console.say(updater.activate(), own: nil)
  }

  /// Carries out what an earlier run left in the queue, and `operation`.
  ///
  /// No user waits for it: a signal, as at a shutdown, cancels nothing, and what is left is resumed at the next start.
  func resume(with operation: Operation? = nil) throws(Failure) {
    let updater = try reporter.makeUpdater(configuration)
    var added: UInt64?
    if let operation, configuration.automatic.obstacle(to: operation) == nil {
      added = try updater.enqueue(operation)
    }
    var skipped: [UInt64] = []
    while !StopSignal.isRaised {
      do throws(Failure) {
        guard let report = try updater.runNextOperation(skipping: skipped) else { return }
        if console.say(report, own: nil) != nil, let number = report.operation?.number {
          skipped.append(number)
        }
        if !report.figures.refused.isEmpty { skipped += try updater.owedOperations() }
        if report.blocksQueue { return }
      } catch {
        guard error.disposition == .busy, let added, try isQueued(added) else { throw error }
        Clock.sleep(milliseconds: 200)
      }
    }
  }

  private func isQueued(_ number: UInt64) throws(Failure) -> Bool {
    try OperationQueue(making: configuration.root).contains(number)
  }

  /// Carries the operation out with what `--from` names, which only this process has: not through the queue.
  private func runFromBundle(
    _ operation: Operation, by updater: borrowing Updater, whenBusy: WhenBusy
  ) -> ExitStatus {
    var hasSaid = false
    while true {
      let report = updater.runAlone(operation)
      guard whenBusy == .wait, report.failure == .busy, report.downloaded == 0, !StopSignal.isRaised else {
        reporter.finish()
        if report.failure == .stopped {
          return console.report(
            .cancelled, sentence: "stopped; what was copied is kept, and the same command resumes there")
        }
        return console.say(report, own: nil) ?? .success
      }
      if !hasSaid { console.say("waiting for another process that holds the store") }
      hasSaid = true
      Clock.sleep(milliseconds: 200)
    }
  }

  /// Carries the operation out without the queue, on a file system that is too full for the queue's files.
  ///
  /// Uninstalling still works there, and another operation says how much space it needs.
  private func runAlone(
    _ operation: Operation, by updater: borrowing Updater
  ) -> ExitStatus {
    let report = updater.runAlone(operation)
    reporter.finish()
    return console.say(report, own: nil) ?? .success
  }
}
