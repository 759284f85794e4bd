package import Crypto

extension SignatureScheme {
  /// What people call the kinds of keys; nil for an unknown name.
  package init?(keyType: String) {
    switch keyType {
    case "ed25519": self = .ed25519
    case "ecdsa": self = .ecdsaP256
    case "rsa": self = .rsaPSS
    default: return nil
    }
  }
}
