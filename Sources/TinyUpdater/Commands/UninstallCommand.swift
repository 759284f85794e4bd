internal import MapModel

/// `uninstall`: removes packages.
enum UninstallCommand {
  static var description: CommandDescription {
    .init(
      "uninstall", operands: .requiredIDs, options: [.noWait],
      summary: "remove packages, or all packages of a region")
  }

  static func make(_ invocation: Invocation) throws(UsageError) -> QueuedCommand {
    try QueuedCommand(invocation) { ids in .uninstall(ids) }
  }
}
