internal import Updater

/// `boot`: makes the maps ready after a start of the device.
struct BootCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "boot", .none,
      summary: "make the maps ready after a device start, then check for updates in the background")
  }

  init(_ invocation: Invocation) throws(UsageError) { try invocation.takeNoOperands() }

  func run(_ session: Session) throws(UpdateError) -> ExitStatus {
    try Boot(session.configuration, session.style).run()
  }
}
