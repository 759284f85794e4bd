internal import MapModel

/// `repair`: makes damaged maps again.
enum RepairCommand {
  static var description: CommandDescription {
    .init(
      "repair", operands: .ids, options: [.from, .noWait],
      summary: "download again what is damaged or missing of the installed maps",
      details: """
        Mends what "verify" has found. If that is nothing, it reads every installed map first, or those that
        are named, as "verify" does. The maps stay at the installed release.

        """)
  }

  static func make(_ invocation: Invocation) throws(UsageError) -> QueuedCommand {
    try QueuedCommand(invocation) { ids in .repair(ids) }
  }
}
