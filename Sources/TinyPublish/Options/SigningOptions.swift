internal import ArgumentParser
internal import Publisher

/// The signers of a change: private keys in files, and a command that has others.
struct SigningOptions: ParsableArguments {
  @OptionGroup
  var keys: KeyOptions

  @Option(
    help: ArgumentHelp(
      """
      A command of the shell that signs with keys which are not in the directory, such as those of an HSM. It reads what \
      is to be signed, and writes the signature. See tinypublish(1).
      """, valueName: "command"))
  var signer: String?

  func store(for repository: String) -> KeyStore {
    keys.store(for: repository, signer: signer.map { Signer(command: $0) })
  }
}
