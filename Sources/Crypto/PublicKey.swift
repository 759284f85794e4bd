internal import CCrypto
internal import Platform

/// A key that signatures are checked with.
package struct PublicKey: ~Copyable {
  private let handle: KeyHandle
  package let scheme: SignatureScheme
  /// The SHA-256 of its DER SubjectPublicKeyInfo: the same for the same key however its text was written.
  package let identity: Digest

  /// Takes the text of TUF's `keyval.public`.
  ///
  /// 64 hexadecimal digits for ed25519, a PEM SubjectPublicKeyInfo of at most 16 KiB for the others.
  package init(_ scheme: SignatureScheme, text: String) throws(KeyError) {
    defer { ERR_clear_error() }
    let handle =
      switch scheme {
      case .ed25519: try PublicKey.read(digits: text)
      case .ecdsaP256, .rsaPSS: try KeyHandle(publicKeyPEM: text)
      }
    try handle.check(as: scheme)
    let info = try handle.subjectPublicKeyInfo()
    do throws(HasherError) { identity = try Hasher.digest(of: info.span.bytes) } catch { throw .refused }
    self.scheme = scheme
    self.handle = handle
  }

  /// Whether the owner of this key has signed exactly this message.
  ///
  /// A malformed signature is a false one. The salt of RSA-PSS may have any length.
  package func verifies(_ signature: [UInt8], of message: RawSpan) -> Bool {
    defer { ERR_clear_error() }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var options: OpaquePointer?
    guard !signature.isEmpty,
      EVP_DigestVerifyInit(context, &options, scheme.digest, nil, handle.pointer) == 1,
      scheme.setPadding(options, saltLength: RSA_PSS_SALTLEN_AUTO)
    else { return false }
    return signature.span.withUnsafeBufferPointer { signature in
      message.withUnsafeBytes { message in
        EVP_DigestVerify(
          context, signature.baseAddress, signature.count,
          message.baseAddress?.assumingMemoryBound(to: UInt8.self), message.count)
      }
    } == 1
  }

  private static func read(digits: String) throws(KeyError) -> KeyHandle {
    guard let bytes = Hex.bytes(digits), bytes.count == 32 else { throw .badKey }
    return try bytes.span.withUnsafeBufferPointer { (bytes) throws(KeyError) in
      try KeyHandle(
        owning: EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes.baseAddress, bytes.count),
        or: .badKey)
    }
  }
}
