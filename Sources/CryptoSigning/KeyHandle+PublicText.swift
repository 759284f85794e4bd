internal import Crypto
internal import Platform

extension KeyHandle {
  /// The text of TUF's `keyval.public`.
  func publicText(_ scheme: SignatureScheme) throws(KeyError) -> String {
    let info = try subjectPublicKeyInfo()
    switch scheme {
    case .ed25519: return Hex.text(Array(info.suffix(32)))  // RFC 8410: the raw key ends it
    case .ecdsaP256, .rsaPSS: return try PEMBlock.text("PUBLIC KEY", of: info)
    }
  }
}
