internal import MapModel

/// `apply`: updates the installed maps to the newest release.
enum ApplyCommand {
  static var description: CommandDescription {
    .init(
      "apply", operands: .ids, options: [.noWait],
      summary: "update all installed maps to the newest release; with ids, before automatic updates")
  }

  static func make(_ invocation: Invocation) throws(UsageError) -> QueuedCommand {
    try QueuedCommand(invocation) { ids in .update(of: ids) }
  }
}
