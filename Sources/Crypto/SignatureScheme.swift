/// The ways to sign that this program knows, named as in TUF metadata.
package enum SignatureScheme: Equatable, CaseIterable {
  /// RFC 8032, a signature of 64 bytes.
  case ed25519
  /// ECDSA over the curve P-256 with SHA-256, the signature in DER.
  case ecdsaP256
  /// RSA-PSS (RFC 8017) with SHA-256, also in MGF1.
  case rsaPSS

  /// Nil for a pair that this program does not know.
  ///
  /// The second name of an ECDSA key type is from before version 1.0.20 of the specification and still in use.
  package init?(keytype: String, scheme: String) {
    switch (keytype, scheme) {
    case ("ed25519", "ed25519"): self = .ed25519
    case ("ecdsa", "ecdsa-sha2-nistp256"), ("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"): self = .ecdsaP256
    case ("rsa", "rsassa-pss-sha256"): self = .rsaPSS
    default: return nil
    }
  }

  package var keytype: String {
    switch self {
    case .ed25519: "ed25519"
    case .ecdsaP256: "ecdsa"
    case .rsaPSS: "rsa"
    }
  }

  /// The member `scheme` of a key.
  package var name: String {
    switch self {
    case .ed25519: "ed25519"
    case .ecdsaP256: "ecdsa-sha2-nistp256"
    case .rsaPSS: "rsassa-pss-sha256"
    }
  }
}
