internal import MapModel
internal import Platform
internal import Updater

/// `confirm`: deletes the generations that a rollback would need.
struct ConfirmCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "confirm", operands: .none,
      summary: "keep the current maps: end their trial, and delete the previous generation")
  }

  init(_ invocation: Invocation) throws(UsageError) { try invocation.takeNoOperands() }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let result = try Reporter(session.console).makeUpdater(session.configuration).confirm()
    let trial = result.trial.map { "\($0.text) is confirmed; " } ?? ""
    session.console.conclude(
      "confirm", trial + (result.hasRemoved ? "previous maps deleted" : "no previous maps to delete"))
    session.console.emitResult(.success) { json in
      if let release = result.trial { json.add("confirmed", release.json) }
      json.add("removed", result.hasRemoved)
    }
    return .success
  }
}
