internal import ArgumentParser

/// `tinypublish sign`.
struct SignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Have prepared changes signed by keys that are elsewhere.",
    discussion: """
      "export" copies what waits for signatures, "add" signs the copy on the machine that has the keys, "import" takes \
      the signatures over and publishes what has enough of them.
      """,
    subcommands: [SignExportCommand.self, SignAddCommand.self, SignImportCommand.self])
}
