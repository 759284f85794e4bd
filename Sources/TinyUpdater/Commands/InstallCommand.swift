internal import MapModel
internal import Updater

/// `install`: installs packages.
struct InstallCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "install", .requiredIDs, options: [.noWait], summary: "install packages, or all packages of a region")
  }

  private let ids: [String]
  private let whenBusy: WhenBusy

  init(_ invocation: Invocation) throws(UsageError) {
    ids = try invocation.takeIDs()
    whenBusy = WhenBusy(invocation)
  }

  func run(_ session: Session) throws(UpdateError) -> ExitStatus {
    try QueueRunner(session).run(.install(ids), whenBusy: whenBusy)
  }
}
