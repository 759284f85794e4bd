internal import CCrypto

/// How libcrypto is set up before it signs or verifies.
extension SignatureScheme {
  /// Nil for ed25519, which hashes by itself.
  package var digest: OpaquePointer? {
    switch self {
    case .ed25519: nil
    case .ecdsaP256, .rsaPSS: EVP_sha256()
    }
  }

  /// Chooses PSS for RSA; nothing is to be chosen for the others.
  package func setPadding(_ options: OpaquePointer?, saltLength: CInt) -> Bool {
    switch self {
    case .ed25519, .ecdsaP256: true
    case .rsaPSS:
      EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_mgf1_md(options, EVP_sha256()) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(options, saltLength) == 1
    }
  }
}
