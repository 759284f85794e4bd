internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// Waits for the process that carries out this one's operation.
struct OperationWait: ~Copyable {
  private let number: UInt64
  private let root: String
  private let console: Console
  private var follower: EventFollower?
  private var bar = ProgressBar()
  private var hasSaid = false
  /// How often a process held the store without working on the queue.
  private var polls = 0

  init(_ number: UInt64, root: String, console: Console) {
    self.number = number
    self.root = root
    self.console = console
  }

  /// Reports how the operation ended, as if this process had carried it out; nil while it waits or runs.
  mutating func result() throws(Failure) -> ExitStatus? {
    let found = try onQueue { (queue) throws(Failure) in try queue.result(number) }
    guard let result = found, let status = ExitStatus(rawValue: result.exitCode) else { return nil }
    finish()
    guard status == .success else { return console.report(status, sentence: result.sentence) }
    console.say("operation \(number): \(result.sentence)")
    console.emitResult(.success) { json in json.add("operation", number) }
    return .success
  }

  /// Shows what the other process does, and waits a moment.
  ///
  /// - Returns: the exit status of this process, if it is to leave now.
  mutating func poll(_ whenBusy: WhenBusy) throws(Failure) -> ExitStatus? {
    let active = try onQueue { (queue) throws(Failure) in try queue.active() }
    guard whenBusy == .wait else { return try leave(active) }
    try relay()
    show(active)
    Clock.sleep(milliseconds: 150)
    return nil
  }

  /// Leaves the operation to the process that works on the queue.
  ///
  /// A process that only holds the store does so for a moment; this one carries the operation out then.
  private mutating func leave(_ active: ActiveOperation?) throws(Failure) -> ExitStatus? {
    if try onQueue({ (queue) throws(Failure) in try queue.isWorkedOn() }) {
      let worker = active.map { "process \($0.process)" } ?? "another process"
      return console.report(
        .busy, sentence: "operation \(number) is queued; \(worker) is at work and will carry it out")
    }
    polls += 1
    guard polls < 20 else {
      return console.report(
        .busy,
        sentence:
          "operation \(number) is queued; another process holds the store, and the next command that changes maps "
          + "will carry it out")
    }
    Clock.sleep(milliseconds: 50)
    return nil
  }

  /// Reports that the operation has left the queue and has no result: there was no space for it, or it is too old.
  func reportUnknown() -> ExitStatus {
    console.report(
      .storage,
      sentence:
        "the result of operation \(number) is unknown; see \"tinyupdater history\", or run the command again")
  }

  /// Writes the events of the other process.
  private mutating func relay() throws(Failure) {
    guard console == .json else { return }
    guard var follower = follower.take() else {
      follower = try EventFollower(root)
      return
    }
    try follower.forEachLine { Terminal.writeLine($0) }
    self.follower = consume follower
  }

  /// Reports how the operation ended after it was cancelled; the working process looks at the queue every 200 ms.
  ///
  /// A process that is stopped, or that only holds the store, is not waited for.
  mutating func resultOfCancelling() throws(Failure) -> ExitStatus {
    let end = Clock.milliseconds + UpdateLimits.cancelling
    while Clock.milliseconds < end {
      if let status = try result() { return status }
      Clock.sleep(milliseconds: 50)
    }
    finish()
    return console.report(
      .cancelled,
      sentence:
        "operation \(number) will be cancelled when the process that holds the store looks at the queue")
  }

  private mutating func show(_ active: ActiveOperation?) {
    guard let active else {
      // Most processes hold the store for less than a second.
      polls += 1
      if polls == 8 { console.say("operation \(number) is queued; another process holds the store") }
      return
    }
    let work = active.number == number ? "operation \(number)" : "waiting for operation \(active.number)"
    let component =
      active.components.first.map { ", \($0.name.path) \($0.activity.word)" } ?? ""
    if console == .bar {
      let columns = Terminal.columns(.error)
      let note = "process \(active.process): \(work)\(component)".printable()
      if let line = bar.line(
        done: active.done, total: active.total, note: note, columns: columns, mark: TextStyle().cut)
      {
        ProgressBar.draw(line, to: .error)
      }
    } else if !hasSaid {
      console.say("operation \(number) is queued; process \(active.process) is at work")
    }
    hasSaid = true
  }

  private func onQueue<Result>(
    _ body: (borrowing OperationQueue) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(try OperationQueue(making: root))
  }

  /// Erases the bar.
  func finish() {
    if console == .bar && hasSaid { ProgressBar.erase(from: .error) }
  }
}
