internal import ArgumentParser

/// `tinypublish key`.
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Show and change who signs.",
    discussion: """
      Each change is a new root, which devices accept when enough keys of the old root and of the new one have signed \
      it.
      """,
    subcommands: [
      KeyListCommand.self, KeyAddCommand.self, KeyRevokeCommand.self, KeyRotateCommand.self,
      KeyMakeCommand.self,
    ])
}
