internal import ArgumentParser
internal import Crypto

/// A kind of key on the command line.
extension SignatureScheme: ExpressibleByArgument {
  /// The key type of the metadata.
  public init?(argument: String) {
    guard let scheme = SignatureScheme.allCases.first(where: { $0.keytype == argument }) else { return nil }
    self = scheme
  }

  /// For the help.
  public static var allValueStrings: [String] { allCases.map(\.keytype) }

  /// For the help.
  public var defaultValueDescription: String { keytype }
}
