internal import MapModel
internal import Platform
internal import Updater

/// `activate`: makes the staged release current, without a network.
struct ActivateCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "activate", operands: .none, options: [.release],
      summary: "switch to the staged release, without a network")
  }

  /// The release that is meant, even if it is not in effect yet.
  private let release: ReleaseName?

  init(_ invocation: Invocation) throws(UsageError) {
    try invocation.takeNoOperands()
    release = try invocation.release()
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let report = try Reporter(session.console).makeUpdater(session.configuration).activate(release)
    return session.console.say(report, own: nil) ?? .success
  }
}
