internal import Platform
internal import Updater

/// `serve`: takes calls of other programs on a socket, for as long as it is wanted.
struct ServeCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "serve", operands: .none,
      summary: "serve org.tinyupdater.Maps (Varlink) on a socket, for programs without privileges",
      details: """
        The settings socket and socket_group say where, and for whom.
        A socket that a service manager hands over is used instead; then it ends when
        nobody has called for 30 seconds.
        """)
  }

  /// What the processes that carry out the calls get, too.
  private let options: [String]

  init(_ invocation: Invocation) throws(UsageError) {
    try invocation.takeNoOperands()
    var options = ["--json"]
    for option in [CommandOption.config, .root, .repository] {
      if let value = invocation.value(of: option) { options.append("--\(option.name)=\(value)") }
    }
    self.options = options
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let configuration = session.configuration
    var group: UInt32?
    if let name = configuration.socketGroup {
      group = UserGroup.number(name)
      if group == nil {
        Log.add(
          .warning, text: "there is no group \(name) (socket_group): only root can use the socket",
          standardError: .written)
      }
    }
    let listener = try listen(at: configuration.socket)
    let channel: ProcessChannel
    let child: ForkedProcess?
    do throws(Errno) { (channel, child) = try ProcessChannel.fork() } catch {
      throw Failure(error, path: configuration.socket)
    }
    guard let child else {
      configuration.confineDoor()
      var door = Door(listener, group: group, starter: StarterConnection(channel))
      door.run()
      return .success
    }
    var starter = DoorStarter(channel, options: options)
    starter.run()
    return try end(child, session)
  }

  /// Waits for the half of the service that clients talk to, which the end of the connection to it ends.
  private func end(_ child: ForkedProcess, _ session: Session) throws(Failure) -> ExitStatus {
    guard child.wait() else { throw .serviceBroken }
    session.console.emitResult(.success)
    return .success
  }

  private func listen(at path: String) throws(Failure) -> LocalListener {
    if let inherited = LocalListener(inheritedAs: path) { return inherited }
    return try LocalListener(at: path)
  }
}
