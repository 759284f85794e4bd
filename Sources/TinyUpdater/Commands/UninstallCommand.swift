internal import MapModel
internal import Updater

/// `uninstall`: removes packages.
struct UninstallCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "uninstall", .requiredIDs, options: [.noWait], summary: "remove packages, or all packages of a region")
  }

  private let ids: [String]
  private let isWaiting: Bool

  init(_ invocation: Invocation) throws(UsageError) {
    ids = try invocation.takeIDs()
    isWaiting = !invocation.has(.noWait)
  }

  func run(_ session: Session) throws(UpdateError) -> ExitStatus {
    try Changes(session.configuration, session.style).run(.uninstall(ids), isWaiting: isWaiting)
  }
}
