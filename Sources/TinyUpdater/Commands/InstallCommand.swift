internal import MapModel

/// `install`: installs packages.
enum InstallCommand {
  static var description: CommandDescription {
    .init(
      "install", operands: .requiredIDs, options: [.from, .noWait],
      summary: "install packages, or all packages of a region")
  }

  static func make(_ invocation: Invocation) throws(UsageError) -> QueuedCommand {
    try QueuedCommand(invocation) { ids in .install(ids) }
  }
}
