internal import Updater

/// `cancel`: cancels queued and running operations.
struct CancelCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "cancel", .ids,
      summary: "cancel queued and running operations: all, or those for these packages and regions")
  }

  private let ids: [String]

  init(_ invocation: Invocation) throws(UsageError) { ids = try invocation.takeIDs() }

  func run(_ session: Session) throws(UpdateError) -> ExitStatus {
    try Changes(session.configuration, session.style).cancel(ids)
  }
}
