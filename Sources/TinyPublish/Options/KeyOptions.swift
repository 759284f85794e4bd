internal import ArgumentParser
internal import Crypto
internal import FoundationEssentials
internal import Platform
internal import Publisher
internal import Trust

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

  /// Locks the repository; see `MetadataSession`.
  func session(_ repository: String, _ expiry: ExpiryOptions? = nil) throws(PublisherError) -> MetadataSession
  {
    try MetadataSession.begin(
      of: try Repository(opening: repository), store(for: repository),
      validity: expiry?.validity ?? Validity(),
      now: Clock.now)
  }
}

/// What private keys are encrypted with: never an argument, which everybody on the machine could read.
struct PassphraseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The file whose first line is the passphrase of the keys, readable by its owner alone. (default: that in TINYPUBLISH_PASSPHRASE_FILE, or the \
      passphrase is asked for)
      """, valueName: "file"), completion: .file())
  var passphraseFile: String?

  func store(_ path: String) -> KeyStore {
    let file = passphraseFile ?? ProcessInfo.processInfo.environment["TINYPUBLISH_PASSPHRASE_FILE"]
    return KeyStore(path) { (purpose) throws(PublisherError) in
      if let file { return try PassphraseFile(file).passphrase() }
      return try PassphraseOptions.ask(path, purpose)
    }
  }

  private static func ask(_ path: String, _ purpose: PassphrasePurpose) throws(PublisherError) -> [UInt8] {
    let prompt = purpose == .create ? "New passphrase" : "Passphrase"
    guard let passphrase = SecretPrompt().read("\(prompt) of the keys in \(path): ") else {
      throw .noPassphrase
    }
    if purpose == .create {
      guard var again = SecretPrompt().read("The same once more: ") else { throw .noPassphrase }
      defer { again.wipe() }
      guard again == passphrase else { throw .passphrasesDiffer }
    }
    return passphrase
  }
}

/// How long signatures are good for.
struct ExpiryOptions: ParsableArguments {
  @Option(
    name: .customLong("expiry"),
    help: ArgumentHelp(
      "How many days what a role signs is good for, from now on. (default: as before)", valueName: "role=days"
    ))
  var periods: [Period] = []

  /// `ROLE=DAYS`.
  struct Period: ExpressibleByArgument {
    let role: Root.TopLevel
    let days: Int64

    init?(argument: String) {
      let parts = argument.parts(separatedBy: "=", limit: 2)
      guard parts.count == 2, let role = Root.TopLevel(name: parts[0]),
        let days = Int64(ascii: parts[1].utf8),
        Validity.daysAllowed.contains(days)
      else { return nil }
      self.role = role
      self.days = days
    }
  }

  var validity: Validity {
    var validity = Validity()
    for period in periods { validity[period.role] = period.days }
    return validity
  }

  /// Refuses a role that the command does not sign.
  func check(_ roles: [Root.TopLevel]) throws {
    for period in periods where !roles.contains(period.role) {
      throw ValidationError(
        "--expiry \(period.role.name)=… belongs to \"tinypublish renew REPO \(period.role.name)\".")
    }
  }
}

/// A role on the command line.
extension Root.TopLevel: ExpressibleByArgument {
  /// Its name in the metadata.
  public init?(argument: String) { self.init(name: argument) }

  /// For the help.
  public static var allValueStrings: [String] { allCases.map(\.name) }
}

/// A kind of key on the command line.
extension SignatureScheme: ExpressibleByArgument {
  /// The key type of the metadata.
  public init?(argument: String) { self.init(keyType: argument) }

  /// For the help.
  public static var allValueStrings: [String] { ["ed25519", "ecdsa", "rsa"] }

  /// For the help.
  public var defaultValueDescription: String { keytype }
}
