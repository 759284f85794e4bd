internal import ArgumentParser
internal import Publisher

/// The directory of the private keys, and their passphrase.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory of the private keys. (default: the name of the repository with \".keys\" appended)",
      valueName: "dir"),
    completion: .directory)
  var keys: String?

  @OptionGroup
  var passphrase: PassphraseOptions

  /// The keys of a repository.
  func store(for repository: String, signer: Signer? = nil) -> KeyStore {
    passphrase.store(keys ?? "\(PathParts.withoutTrailingSlash(repository)).keys", signer: signer)
  }
}
