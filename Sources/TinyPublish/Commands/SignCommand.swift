internal import ArgumentParser

/// `tinypublish sign`.
struct SignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Sign pending changes with offline keys.",
    discussion: """
      "export" copies the files that wait for signatures, "add" signs the copies on the machine with the keys, "import" \
      adds their signatures to the repository and publishes the changes that have enough of them.
      """,
    subcommands: [SignExportCommand.self, SignAddCommand.self, SignImportCommand.self])
}
