internal import MapModel
internal import Updater

/// `install`: installs packages.
struct InstallCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "install", .requiredIDs, options: [.noWait], summary: "install packages, or all packages of a region")
  }

  private let ids: [String]
  private let isWaiting: Bool

  init(_ invocation: Invocation) throws(UsageError) {
    ids = try invocation.takeIDs()
    isWaiting = !invocation.has(.noWait)
  }

  func run(_ session: Session) throws(UpdateError) -> ExitStatus {
    try Changes(session.configuration, session.style).run(.install(ids), isWaiting: isWaiting)
  }
}
