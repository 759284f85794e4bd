internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// `verify`: reads every installed component and compares its digest.
struct VerifyCommand: StoreCommand {
  static var description: CommandDescription {
    .init("verify", operands: .none, summary: "read every installed map and compare its digest")
  }

  init(_ invocation: Invocation) throws(UsageError) { try invocation.takeNoOperands() }

  func run(_ session: Session) throws(UpdateError) -> ExitStatus {
    let console = session.console
    var (count, damaged) = (0, 0)
    do throws(StoreError) {
      let store = try Store(opening: session.configuration.root)
      guard let generation = try store.holdCurrent() else {
        console.say("nothing is installed")
        console.emitResult(.success)
        return .success
      }
      var manifest = try generation.manifest()
      while let component = try manifest.next() {
        count += 1
        let hasIndex = try generation.isIndexIntact(component, shouldStop: { StopSignal.isRaised })
        let isIntact = try generation.isIntact(component, shouldStop: { StopSignal.isRaised }) && hasIndex
        console.emit("verified") { json in
          json.add("id", component.name.id)
          json.add("group", component.name.dataGroup)
          json.add("intact", isIntact)
        }
        guard !isIntact else { continue }
        damaged += 1
        let path = hasIndex ? component.path : component.indexPath
        if console != .json { Terminal.writeLine("tinyupdater: \(path) is damaged", to: .error) }
        Log.add(.error, text: "\(path) is damaged", standardError: .written)
      }
    } catch { throw UpdateError(error) }
    guard damaged == 0 else { throw .damaged(count: damaged) }
    console.say(count == 1 ? "the only component is intact" : "all \(count) components are intact")
    console.emitResult(.success) { json in json.add("components", count) }
    return .success
  }
}
