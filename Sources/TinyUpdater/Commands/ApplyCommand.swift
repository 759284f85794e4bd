internal import MapModel
internal import Updater

/// `apply`: updates the installed maps to the newest release.
struct ApplyCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "apply", .ids, options: [.noWait],
      summary: "update all installed maps to the newest release; with ids, before automatic updates")
  }

  private let ids: [String]
  private let whenBusy: WhenBusy

  init(_ invocation: Invocation) throws(UsageError) {
    ids = try invocation.takeIDs()
    whenBusy = WhenBusy(invocation)
  }

  func run(_ session: Session) throws(UpdateError) -> ExitStatus {
    try QueueRunner(session).run(.update(of: ids), whenBusy: whenBusy)
  }
}
