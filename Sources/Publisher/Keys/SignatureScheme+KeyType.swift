package import Crypto

extension SignatureScheme {
  /// Reads the name of a key type as used on the command line; nil for an unknown name.
  package init?(keyType: String) {
    switch keyType {
    case "ed25519": self = .ed25519
    case "ecdsa": self = .ecdsaP256
    case "rsa": self = .rsaPSS
    default: return nil
    }
  }
}
