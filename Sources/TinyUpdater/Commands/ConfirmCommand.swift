internal import Updater

/// `confirm`: deletes the generations that a rollback would need.
struct ConfirmCommand: StoreCommand {
  static var description: CommandDescription {
    .init("confirm", .none, summary: "delete the previous generation; there is nothing to roll back to then")
  }

  init(_ invocation: Invocation) throws(UsageError) { try invocation.takeNoOperands() }

  func run(_ session: Session) throws(UpdateError) -> ExitStatus {
    try Changes(session.configuration, session.style).confirm()
  }
}
