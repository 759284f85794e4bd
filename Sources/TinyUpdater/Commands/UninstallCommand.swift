internal import MapModel
internal import Updater

/// `uninstall`: removes packages.
struct UninstallCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "uninstall", .requiredIDs, options: [.noWait], summary: "remove packages, or all packages of a region")
  }

  private let ids: [String]
  private let whenBusy: WhenBusy

  init(_ invocation: Invocation) throws(UsageError) {
    ids = try invocation.takeIDs()
    whenBusy = WhenBusy(invocation)
  }

  func run(_ session: Session) throws(UpdateError) -> ExitStatus {
    try QueueRunner(session).run(.uninstall(ids), whenBusy: whenBusy)
  }
}
