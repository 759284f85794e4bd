internal import ArgumentParser
internal import FoundationEssentials
internal import Platform
internal import Publisher

/// Where the private keys are, and what they are encrypted with.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory of the private keys. (default: the repository's name with \".keys\")", valueName: "dir"),
    completion: .directory)
  var keys: String?

  @OptionGroup
  var passphrase: PassphraseOptions

  /// The keys of a repository.
  func store(for repository: String) -> KeyStore {
    var name = repository[...]
    while name.utf8.count > 1, name.utf8.last == UInt8(ascii: "/") { name = name.dropLast() }
    return passphrase.store(keys ?? "\(name).keys")
  }
}

/// What private keys are encrypted with: never an argument, which everybody on the machine could read.
struct PassphraseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file whose first line is the passphrase of the keys. (default: TINYPUBLISH_PASSPHRASE_FILE, or asked for)",
      valueName: "file"), completion: .file())
  var passphraseFile: String?

  func store(_ path: String) -> KeyStore {
    let file = passphraseFile ?? ProcessInfo.processInfo.environment["TINYPUBLISH_PASSPHRASE_FILE"]
    return KeyStore(path) { (purpose) throws(PublisherError) in
      if let file { return try PassphraseOptions.firstLine(of: file) }
      throw .noPassphrase
    }
  }

  private static func firstLine(of path: String) throws(PublisherError) -> [UInt8] {
    do throws(FileError) {
      var reader = LineReader(try File(opening: path), limit: 4096)
      return try reader.next()?.bytes ?? []
    } catch { throw .file(error) }
  }
}
