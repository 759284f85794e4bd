internal import ArgumentParser
internal import Platform
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
  func store(for repository: String) -> KeyStore {
    passphrase.store(keys ?? "\(PathParts.withoutTrailingSlash(repository)).keys")
  }

  /// Locks the repository; see `MetadataSession`.
  func session(_ repository: String, _ expiry: ExpiryOptions? = nil) throws(PublisherError) -> MetadataSession
  {
    try MetadataSession.begin(
      of: try Repository(opening: repository), keys: store(for: repository),
      validity: expiry?.validity ?? Validity(),
      now: Clock.now)
  }
}
