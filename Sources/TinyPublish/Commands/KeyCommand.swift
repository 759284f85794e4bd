internal import ArgumentParser

/// `tinypublish key`.
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Show and change the signing keys.",
    discussion: """
      Each change is a new root. Devices accept it if enough keys of both the old root and the new one have signed it.
      """,
    subcommands: [
      KeyListCommand.self, KeyAddCommand.self, KeyRevokeCommand.self, KeyRotateCommand.self,
      KeyMakeCommand.self,
    ])
}
