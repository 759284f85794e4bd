internal import Catalog
internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// `watch`: writes the whole state, then every event (`docs/events.md`).
///
/// It reads what the working process leaves in the store, so it neither needs that process nor delays it.
struct WatchCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "watch", operands: .none, options: [.language],
      summary: "write the whole state, then every event, as JSON lines until interrupted")
  }

  private let language: Language

  init(_ invocation: Invocation) throws(UsageError) {
    try invocation.takeNoOperands()
    language = try invocation.language()
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let session = Session(session.configuration, console: .json)
    let root = session.configuration.root
    // From the current end, so that nothing is missed while the state is written.
    var follower = try follow(root)
    writeState(session)
    while !StopSignal.isRaised && !Terminal.isClosed(.output) {
      guard var current = follower.take() else {
        // There is no store yet; the first operation creates it.
        Clock.sleep(milliseconds: 300)
        follower = try follow(root)
        continue
      }
      var isNewStructure = false
      try current.forEachLine { line in
        Terminal.writeLine(line)
        if line.utf8.starts(with: #"{"event":"changed""#.utf8) { isNewStructure = true }
      }
      follower = consume current
      if isNewStructure { writeState(session) }
      Clock.sleep(milliseconds: 100)
    }
    return .success
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
