internal import CCrypto
package import Crypto

/// A key that signs; only publishers have one.
package struct PrivateKey: ~Copyable {
  let handle: KeyHandle
  package let scheme: SignatureScheme

  /// The same security as the other schemes, by NIST SP 800-57.
  private static var generatedBits: Int { 3072 }
  /// The length of the hash, as other signers use it.
  private static var saltLength: CInt { 32 }

  init(_ handle: consuming KeyHandle) throws(KeyError) {
    guard let scheme = handle.scheme else { throw .unsupported }
    try handle.check(as: scheme)
    self.scheme = scheme
    self.handle = handle
  }

  /// Makes a random key; RSA takes about a second.
  package static func generate(_ scheme: SignatureScheme) throws(KeyError) -> PrivateKey {
    defer { ERR_clear_error() }
    let key =
      switch scheme {
      case .ed25519: tu_crypto_generate_ed25519()
      case .ecdsaP256: tu_crypto_generate_ecdsa_p256()
      case .rsaPSS: tu_crypto_generate_rsa(generatedBits)
      }
    return try PrivateKey(KeyHandle(owning: key, or: .refused))
  }

  /// The text of TUF's `keyval.public`, see `PublicKey`.
  package func publicText() throws(KeyError) -> String {
    defer { ERR_clear_error() }
    return try handle.publicText(scheme)
  }

  package func sign(_ message: RawSpan) throws(KeyError) -> [UInt8] {
    defer { ERR_clear_error() }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var options: OpaquePointer?
    // The length of the longest signature of this key.
    var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(handle.pointer)))
    var count = signature.count
    guard EVP_DigestSignInit(context, &options, scheme.digest, nil, handle.pointer) == 1,
      scheme.setPadding(options, saltLength: PrivateKey.saltLength)
    else { throw .refused }
    var span = signature.mutableSpan
    let ok = span.withUnsafeMutableBufferPointer { signature in
      message.withUnsafeBytes { message in
        EVP_DigestSign(
          context, signature.baseAddress, &count,
          message.baseAddress?.assumingMemoryBound(to: UInt8.self), message.count)
      }
    }
    guard ok == 1, count <= signature.count else { throw .refused }
    return Array(signature.prefix(count))
  }
}
