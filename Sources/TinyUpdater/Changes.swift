internal import Catalog
internal import MapModel
internal import Platform
internal import Store
internal import Transport
internal import Updater

/// The commands that change the store.
struct Changes {
  private let configuration: Configuration
  private let style: OutputStyle
  private let journal: Journal

  init(_ configuration: Configuration, _ style: OutputStyle) {
    self.configuration = configuration
    self.style = style
    journal = Journal(configuration.root, style)
  }

  private func makeUpdater() throws(UpdateError) -> Updater<Reporter> {
    var updater = try Updater(configuration, Reporter(style, journal))
    let journal = journal
    updater.pulse = { journal.pulse() }
    return updater
  }

  // MARK: - Operations of the queue

  /// Puts the operation into the queue and works on that until it is empty; the operation's own exit status.
  ///
  /// While another process works, this one waits and shows its progress, or leaves if `isWaiting` is false.
  func run(_ operation: Operation, isWaiting: Bool = true) throws(UpdateError) -> ExitStatus {
    var updater = try makeUpdater()
    let own: UInt64
    do throws(UpdateError) { own = try updater.enqueue(operation) } catch {
      guard error.disposition == .outOfSpace else { throw error }
      return runAlone(operation, &updater)
    }
    tell(of: own, operation)
    var status: ExitStatus?
    var waiting = Waiting(own, configuration.root, style)
    var passed: [UInt64] = []
    while !StopSignal.isRaised {
      do throws(UpdateError) {
        let before = updater.downloaded
        guard let work = try updater.workOnce(own: own, passing: passed) else { break }
        waiting.finish()
        let isOwn = work.operation.number == own
        let downloaded = updater.downloaded - before
        if let ended = report(work, isOwn: isOwn, updater.observer, updater.figures, downloaded) {
          if isOwn { status = ended }
          passed.append(work.operation.number)
        }
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

  /// Goes on with what an earlier run left in the queue, and with `operation`.
  ///
  /// Nobody waits for it: a signal, as at a shutdown, cancels nothing, and what is left waits for the next start.
  func resume(with operation: Operation? = nil) throws(UpdateError) {
    var updater = try makeUpdater()
    var added: UInt64?
    if let operation {
      let number = try updater.enqueue(operation)
      tell(of: number, operation)
      added = number
    }
    var passed: [UInt64] = []
    while !StopSignal.isRaised {
      do throws(UpdateError) {
        guard let work = try updater.workOnce(passing: passed) else { return }
        if report(work, isOwn: false, updater.observer, updater.figures, updater.downloaded) != nil {
          passed.append(work.operation.number)
        }
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

  private func tell(of number: UInt64, _ operation: Operation) {
    journal.emit("operation") { json in
      json.add("operation", number)
      json.add("state", "queued")
      json.add("command", operation.word)
      json.add("ids", operation.ids)
    }
  }

  /// Says and writes down how an operation ended; nil if it has not.
  private func report(
    _ work: Work, isOwn: Bool, _ reporter: Reporter, _ figures: RunFigures, _ downloaded: UInt64
  ) -> ExitStatus? {
    let word = work.operation.request.word
    switch work.ending {
    case .done(let outcome):
      say(word, outcome, reporter, figures, downloaded)
      if isOwn { emitResult(outcome, reporter, downloaded) }
      return .success
    case .failed(let error):
      let status = isOwn ? style.report(error) : style.complain(error, of: word)
      record(word, status, from: nil, to: nil, downloaded, reporter, figures, error)
      return status
    case .steppedAside(let other):
      style.say("\(word): waits for operation \(other), which goes first")
      return nil
    case .narrowed:
      style.say("\(word): a part of it was cancelled")
      return nil
    }
  }

  /// On a medium that is too full for the queue, uninstalling, or a plan that says what is needed, still work.
  private func runAlone(_ operation: Operation, _ updater: inout Updater<Reporter>) -> ExitStatus {
    do throws(UpdateError) {
      let outcome = try updater.runAlone(operation)
      updater.observer.finish()
      say(operation.word, outcome, updater.observer, updater.figures, updater.downloaded)
      emitResult(outcome, updater.observer, updater.downloaded)
      return .success
    } catch {
      updater.observer.finish()
      let status = style.report(error)
      record(
        operation.word, status, from: nil, to: nil, updater.downloaded, updater.observer, updater.figures,
        error)
      return status
    }
  }

  // MARK: - Back

  func rollBack() throws(UpdateError) -> ExitStatus {
    var updater = try makeUpdater()
    let outcome: Outcome
    do throws(UpdateError) { outcome = try updater.rollBack() } catch {
      let status = style.report(error)
      record("rollback", status, from: nil, to: nil, 0, updater.observer, updater.figures, error)
      return status
    }
    say("rollback", outcome, updater.observer, updater.figures, 0)
    if case .changed(let from, let to) = outcome {
      journal.tellChange(from: from, to: to)
    }
    emitResult(outcome, updater.observer, 0)
    return .success
  }

  /// Gives up the way back, and with it the space of the generation before.
  func confirm() throws(UpdateError) -> ExitStatus {
    let updater = try makeUpdater()
    let removed = try updater.confirm()
    style.say(removed ? "confirm: all other maps are deleted" : "confirm: there are no other maps")
    style.emitResult(.success) { json in json.add("removed", removed) }
    return .success
  }

  // MARK: - Cancelling

  func cancel(_ ids: [String]) throws(UpdateError) -> ExitStatus {
    var updater = try makeUpdater()
    let cancellation = try updater.cancel(ids)
    for number in cancellation.cancelled {
      journal.emit("operation") { json in
        json.add("operation", number)
        json.add("state", "cancelled")
        json.add("ids", ids)
      }
    }
    for sentence in cancellation.sentences { style.say("cancel: \(sentence)") }
    style.emitResult(.success) { json in
      json.add("cancelled", cancellation.cancelled.count)
      json.add("ended", cancellation.ended.count)
      json.add("pending", cancellation.pending.count)
    }
    return .success
  }

  // MARK: - Words

  private func say(
    _ word: String, _ outcome: Outcome, _ reporter: Reporter, _ figures: RunFigures, _ downloaded: UInt64
  ) {
    switch outcome {
    case .changed(let from, let to):
      let moved = from == nil || from == to ? "\(to.text)" : "from \(from?.text ?? "") to \(to.text)"
      let effort =
        reporter.plan == nil
        ? "" : ", \(ByteCount(downloaded).text) downloaded, \(duration(since: reporter.started))"
      style.say("\(word): \(moved)\(effort)")
      Log.add(.info, "\(moved)\(effort)", isSaid: true)
      record(word, .success, from: from, to: to, downloaded, reporter, figures)
    case .nothingToDo(let release):
      Log.add(.info, "nothing to do", isSaid: true)
      style.say(
        release.map { "\(word): nothing to do, \($0.text) is installed" } ?? "\(word): nothing is installed")
    }
  }

  private func emitResult(_ outcome: Outcome, _ reporter: Reporter, _ downloaded: UInt64) {
    style.emitResult(.success) { json in
      if case .changed(let from, let to) = outcome {
        if let from { json.add("from", from.json) }
        json.add("to", to.json)
      }
      json.add("downloaded", downloaded)
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
      json.add("milliseconds", Clock.milliseconds - reporter.started)
    }
  }

  /// How long it has taken so far, such as "0.4 s" or "2 min 5 s".
  private func duration(since started: UInt64) -> String {
    let milliseconds = Clock.milliseconds - started
    guard milliseconds < 10_000 else { return ProgressBar.duration((milliseconds + 500) / 1000) }
    return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }

  /// Writes the run into the history.
  ///
  /// A store that cannot be written to has said so already.
  private func record(
    _ word: String, _ status: ExitStatus, from: Release?, to: Release?, _ downloaded: UInt64,
    _ reporter: Reporter, _ figures: RunFigures, _ error: UpdateError? = nil
  ) {
    guard status != .busy && status != .usage else { return }
    var entry = HistoryEntry(
      time: Clock.now, command: word, result: status.name, exitCode: status.rawValue,
      from: from?.number ?? 0, to: to?.number ?? 0, downloaded: downloaded,
      peakResident: MemoryBudget.peakResident ?? 0, milliseconds: Clock.milliseconds - reporter.started)
    if let plan = reporter.plan {
      entry.planned = HistoryFigures(
        download: plan.download, index: plan.includesIndexes ? plan.indexSize : 0, peakDisk: plan.peakDisk)
      entry.reserve = configuration.spaceReserve
    }
    entry.happened = HistoryFigures(
      download: figures.fetched, index: figures.indexed, peakDisk: figures.peakDisk)
    entry.failedAttempts = reporter.failedAttempts
    entry.failure = reporter.lastFailure
    // The attempt that was the last one is no event of the connection, but the error itself.
    if case .transport(let error) = error, let failure = error.failedRequest {
      entry.failedAttempts += 1
      entry.failure = failure
    }
    do throws(StoreError) { try Store(opening: configuration.root, for: .read).record(entry) } catch {}
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
    add(ended, "had ended already; \"tinyupdater history\" tells how")
    add(pending, "will be cancelled when the process that holds the store looks at the queue")
    return sentences.isEmpty ? ["nothing waits or runs"] : sentences
  }
}
