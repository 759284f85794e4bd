internal import ArgumentParser
internal import Platform
internal import Publisher

/// The passphrase of the private keys: never an argument, which every user of the machine could read.
struct PassphraseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The file whose first line is the passphrase of the keys, readable by its owner only. (default: the file named by \
      TINYPUBLISH_PASSPHRASE_FILE; without it, the passphrase is asked for)
      """, valueName: "file"), completion: .file())
  var passphraseFile: String?

  func store(_ path: String, signer: Signer? = nil) -> KeyStore {
    let file = passphraseFile ?? Environment.value("TINYPUBLISH_PASSPHRASE_FILE")
    return KeyStore(path, signer: signer) { (purpose) throws(PublisherError) in
      if let file { return try PassphraseFile(file).passphrase() }
      return try PassphraseOptions.ask(path, for: purpose)
    }
  }

  private static func ask(_ path: String, for purpose: PassphrasePurpose) throws(PublisherError) -> [UInt8] {
    let prompt = purpose == .create ? "New passphrase" : "Passphrase"
    guard let passphrase = SecretPrompt().read("\(prompt) of the keys in \(path): ") else {
      throw .keys(.noPassphrase)
    }
    if purpose == .create {
      guard var again = SecretPrompt().read("Repeat the passphrase: ") else { throw .keys(.noPassphrase) }
      defer { again.wipe() }
      guard again == passphrase else { throw .keys(.passphrasesDiffer) }
    }
    return passphrase
  }
}
