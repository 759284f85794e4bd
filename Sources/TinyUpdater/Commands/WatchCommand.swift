internal import Catalog
internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// `watch`: shows the state on a terminal; else writes the whole state, then every event (`docs/events.md`).
///
/// It reads what the working process leaves in the store, so it neither needs that process nor delays it.
struct WatchCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "watch", operands: .none, options: [.language],
      summary:
        "show the state until interrupted; without a terminal, every event as a JSON line"
    )
  }

  private let language: Language

  init(_ invocation: Invocation) throws(UsageError) {
    try invocation.takeNoOperands()
    language = try invocation.language()
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let root = session.configuration.root
    switch session.console {
    case .bar where WatchView.isPossible, .lines where WatchView.isPossible:
      var view = WatchView(root)
      try follow(
        root, first: { view.refresh() }, each: { _ in },
        after: { hasChanged in
          if hasChanged { view.refresh() }
          view.draw()
        })
    case .bar, .lines, .json, .quiet:
      let session = Session(session.configuration, console: .json)
      var isNewStructure = false
      try follow(
        root, first: { writeState(session) },
        each: { line in
          Terminal.writeLine(line)
          if line.utf8.starts(with: #"{"event":"changed""#.utf8) { isNewStructure = true }
        },
        after: { _ in
          if isNewStructure { writeState(session) }
          isNewStructure = false
        })
    }
    return .success
  }

  /// Follows the events until a signal, or until the reader of the output is gone.
  ///
  /// - `first`: called at the beginning.
  /// - `each`: called with each event.
  /// - `after`: called after that some times a second, with whether there was one.
  private func follow(
    _ root: String, first: () -> Void, each body: (String) -> Void, after: (Bool) -> Void
  ) throws(Failure) {
    // From the current end, so that nothing is missed while the state is written.
    var follower = try follow(root)
    first()
    while !StopSignal.isRaised && !Terminal.isClosed(.output) {
      var hasChanged = false
      if var current = follower.take() {
        try current.forEachLine { line in
          hasChanged = true
          body(line)
        }
        follower = consume current
      } else {
        // There is no store yet; the first operation creates it.
        follower = try follow(root)
        hasChanged = follower != nil
      }
      after(hasChanged)
      Clock.sleep(milliseconds: 100)
    }
  }

  private func follow(_ root: String) throws(Failure) -> EventFollower? {
    do throws(Failure) { return try EventFollower(root) } catch {
      if case .noStore = error { return nil }
      throw error
    }
  }

  /// Everything that can change later: the release, the packages, the queue.
  private func writeState(_ session: Session) {
    let console = session.console
    console.emit("state") { json in json.add("schema", 1) }
    do throws(Failure) {
      try session.writeStatus()
      try session.writeTree(in: language)
    } catch {
      console.emit("error") { json in json.add("message", error.sentence) }
    }
    writeQueue(session)
    console.emit("ready") { _ in }
  }

  private func writeQueue(_ session: Session) {
    let console = session.console
    do throws(Failure) {
      guard let queue = try OperationQueue.open(session.configuration.root) else { return }
      let active = try queue.active()
      for queued in try queue.operations() {
        console.emit("operation") { json in
          json.add("operation", queued.number)
          json.add("state", queued.number == active?.number ? "running" : "waiting")
          queued.operation.write(to: &json)
        }
      }
      guard let active else { return }
      console.emit("progress") { json in
        json.add("operation", active.number)
        active.write(to: &json)
      }
    } catch {
      console.emit("error") { json in json.add("message", error.sentence) }
    }
  }
}
