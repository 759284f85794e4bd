internal import Platform
internal import Updater

/// `status`: shows what is installed and how the last run ended.
struct StatusCommand: StoreCommand {
  static var description: CommandDescription {
    .init("status", operands: .none, summary: "show the installed release and the last run")
  }

  init(_ invocation: Invocation) throws(UsageError) { try invocation.takeNoOperands() }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    // As an update does it: that shows what this system accepts.
    let status = try session.writeStatus(
      confinedBy: session.configuration.confine(startsPrograms: false))
    session.console.emitResult(status)
    return status
  }
}
