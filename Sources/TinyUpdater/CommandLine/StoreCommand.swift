internal import Updater

/// A command on the store that the configuration names.
protocol StoreCommand {
  /// The command's row in the table of commands.
  static var description: CommandDescription { get }

  /// Takes the operands and the values of options, and refuses those that are not valid.
  init(_ invocation: Invocation) throws(UsageError)

  func run(_ session: Session) throws(UpdateError) -> ExitStatus
}
