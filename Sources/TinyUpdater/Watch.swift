internal import Catalog
internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// `watch`: the whole state first, then what happens (`docs/events.md`).
///
/// It reads what the working process leaves in the store, and so neither needs that process nor holds it up.
struct Watch {
  private let configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }

  func run() throws(UpdateError) -> ExitStatus {
    // Behind what is there now, so that nothing is missed while the state is written.
    var follower = try follow()
    writeState()
    while !StopSignal.isRaised && !Terminal.isClosed(.output) {
      guard var current = follower.take() else {
        // There is no store yet; it comes with the first operation.
        Clock.sleep(milliseconds: 300)
        follower = try follow()
        continue
      }
      var isNewStructure = false
      do throws(StoreError) {
        try current.forEachLine { line in
          Terminal.writeLine(line)
          if line.utf8.starts(with: #"{"event":"changed""#.utf8) { isNewStructure = true }
        }
      } catch { throw UpdateError(error) }
      follower = consume current
      if isNewStructure { writeState() }
      Clock.sleep(milliseconds: 100)
    }
    return .success
  }

  private func follow() throws(UpdateError) -> EventFollower? {
    do throws(StoreError) { return try EventFollower(configuration.root) } catch {
      if case .missing = error { return nil }
      throw UpdateError(error)
    }
  }

  /// Everything that can change later: the release, the packages, the queue.
  private func writeState() {
    emit("state") { json in json.add("schema", 1) }
    do throws(UpdateError) { try Queries(configuration, .json).writeState() } catch {
      emit("error") { json in json.add("message", error.sentence) }
    }
    writeQueue()
    emit("ready") { _ in }
  }

  private func writeQueue() {
    do throws(StoreError) {
      guard let queue = try OperationQueue.open(configuration.root) else { return }
      let active = try queue.active()
      for operation in try queue.operations() {
        emit("operation") { json in
          json.add("operation", operation.number)
          json.add("state", operation.number == active?.number ? "running" : "waiting")
          operation.request.write(to: &json)
        }
      }
      guard let active else { return }
      emit("progress") { json in
        json.add("operation", active.number)
        active.write(to: &json)
      }
    } catch {
      emit("error") { json in json.add("message", error.sentence) }
    }
  }

  private func emit(_ event: String, _ fill: (inout JSON) -> Void) {
    OutputStyle.json.emit(event, fill)
  }
}
