internal import Platform
internal import Store
internal import Updater

/// A process that waits until another one has carried out its operation.
struct Waiting: ~Copyable {
  private let number: UInt64
  private let root: String
  private let style: OutputStyle
  private var follower: EventFollower?
  private var bar = ProgressBar()
  private var hasSaid = false
  /// How often the store was held by a process that does not work on the queue.
  private var looks = 0

  init(_ number: UInt64, _ root: String, _ style: OutputStyle) {
    self.number = number
    self.root = root
    self.style = style
  }

  /// How the operation ended, said as if it had been done here; nil while it waits or runs.
  mutating func result() throws(UpdateError) -> ExitStatus? {
    let found = try onQueue { (queue) throws(StoreError) in try queue.result(number) }
    guard let result = found, let status = ExitStatus(rawValue: result.exitCode) else { return nil }
    finish()
    guard status == .success else { return style.report(status, result.sentence) }
    style.say("operation \(number): \(result.sentence)")
    style.emitResult(.success) { json in json.add("operation", number) }
    return .success
  }

  /// Shows what the other process does, and waits a moment.
  ///
  /// An exit status ends the waiting: the operation has ended, or this process is not to wait.
  mutating func look(isWaiting: Bool) throws(UpdateError) -> ExitStatus? {
    let active = try onQueue { (queue) throws(StoreError) in try queue.active() }
    guard isWaiting else { return try leave(active) }
    try relay()
    show(active)
    Clock.sleep(milliseconds: 150)
    return nil
  }

  /// Leaves the operation to the process that works on the queue; one that only holds the store does so for a
  /// moment, after which this one carries it out.
  private mutating func leave(_ active: ActiveOperation?) throws(UpdateError) -> ExitStatus? {
    if try onQueue({ (queue) throws(StoreError) in try queue.isWorkedOn() }) {
      let worker = active.map { "process \($0.process)" } ?? "another process"
      return style.report(
        .busy, "operation \(number) is queued; \(worker) is at work and will carry it out")
    }
    looks += 1
    guard looks < 20 else {
      return style.report(
        .busy,
        "operation \(number) is queued; another process holds the store, and the next command that changes maps "
          + "will carry it out")
    }
    Clock.sleep(milliseconds: 50)
    return nil
  }

  /// Says that the operation is not in the queue any more, and has no result: there was no room for it, or it is
  /// long ago.
  func reportUnknown() -> ExitStatus {
    style.report(
      .storage,
      "the result of operation \(number) is unknown; see \"tinyupdater history\", or run the command again")
  }

  /// Passes on the events of the other process.
  private mutating func relay() throws(UpdateError) {
    guard style == .json else { return }
    do throws(StoreError) {
      guard var follower = follower.take() else {
        follower = try EventFollower(root)
        return
      }
      try follower.forEachLine { Terminal.writeLine($0) }
      self.follower = consume follower
    } catch { throw UpdateError(error) }
  }

  /// How the operation ended whose cancellation was asked for, which the process that works does within a second.
  ///
  /// One that has been stopped, or that only holds the store, is not waited for.
  mutating func resultOfCancelling() throws(UpdateError) -> ExitStatus {
    let end = Clock.milliseconds + UpdateLimits.cancelling
    while Clock.milliseconds < end {
      if let status = try result() { return status }
      Clock.sleep(milliseconds: 50)
    }
    finish()
    return style.report(
      .cancelled,
      "operation \(number) will be cancelled when the process that holds the store looks at the queue")
  }

  private mutating func show(_ active: ActiveOperation?) {
    guard let active else {
      // Most hold it for less than a second.
      looks += 1
      if looks == 8 { style.say("operation \(number) is queued; another process holds the store") }
      return
    }
    let work = active.number == number ? "operation \(number)" : "waiting for operation \(active.number)"
    let component = active.components.first.map { ", \($0.id) \($0.dataGroup) \($0.activity.word)" } ?? ""
    if style == .bar {
      let columns = Terminal.columns(.error)
      let note = "process \(active.process): \(work)\(component)".printable()
      if let line = bar.line(
        done: active.done, total: active.total, note: note, columns: columns, mark: TextStyle().cut)
      {
        ProgressBar.draw(line, to: .error)
      }
    } else if !hasSaid {
      style.say("operation \(number) is queued; process \(active.process) is at work")
    }
    hasSaid = true
  }

  private func onQueue<Result>(
    _ body: (borrowing OperationQueue) throws(StoreError) -> Result
  ) throws(UpdateError) -> Result {
    do throws(StoreError) { return try body(try OperationQueue(making: root)) } catch {
      throw UpdateError(error)
    }
  }

  /// Wipes the bar away.
  func finish() {
    if style == .bar && hasSaid { ProgressBar.erase(from: .error) }
  }
}
