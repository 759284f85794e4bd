internal import Platform
internal import Updater

/// `rollback`: makes the previous generation current again.
struct RollbackCommand: StoreCommand {
  static var description: CommandDescription {
    .init("rollback", operands: .none, summary: "go back to the previous generation of the maps")
  }

  init(_ invocation: Invocation) throws(UsageError) { try invocation.takeNoOperands() }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let report = try Reporter(session.console).makeUpdater(session.configuration).rollBack()
    return session.console.say(report, own: nil) ?? .success
  }
}
