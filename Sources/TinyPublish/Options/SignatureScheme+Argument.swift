internal import ArgumentParser
internal import Crypto
internal import Publisher

/// A kind of key on the command line.
extension SignatureScheme: ExpressibleByArgument {
  /// The key type of the metadata.
  public init?(argument: String) { self.init(keyType: argument) }

  /// For the help.
  public static var allValueStrings: [String] { ["ed25519", "ecdsa", "rsa"] }

  /// For the help.
  public var defaultValueDescription: String { keytype }
}
