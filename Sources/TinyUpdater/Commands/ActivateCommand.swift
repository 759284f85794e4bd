internal import Platform
internal import Updater

/// `activate`: makes the staged release current, without a network.
struct ActivateCommand: StoreCommand {
  static var description: CommandDescription {
    .init("activate", operands: .none, summary: "switch to the staged release, without a network")
  }

  init(_ invocation: Invocation) throws(UsageError) { try invocation.takeNoOperands() }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let report = try Reporter(session.console).makeUpdater(session.configuration).activate()
    return session.console.say(report, own: nil) ?? .success
  }
}
