internal import Platform
internal import Updater

/// `confirm`: deletes the generations that a rollback would need.
struct ConfirmCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "confirm", operands: .none,
      summary: "delete the previous generation; there is nothing to roll back to then")
  }

  init(_ invocation: Invocation) throws(UsageError) { try invocation.takeNoOperands() }

  func run(_ session: Session) throws(UpdateError) -> ExitStatus {
    let removed = try Reporter(session.console).makeUpdater(session.configuration).confirm()
    session.console.say(removed ? "confirm: previous maps deleted" : "confirm: no previous maps to delete")
    session.console.emitResult(.success) { json in json.add("removed", removed) }
    return .success
  }
}
