internal import CCrypto

/// Owns one `EVP_PKEY`, public or private.
public struct KeyHandle: ~Copyable {
  package let pointer: OpaquePointer

  /// Below this RSA is within reach of factoring; NIST SP 800-131A and TUF ask for as much.
  static var minimumBits: Int { 2048 }
  /// The time of a verification grows with the square of the bits.
  static var maximumBits: Int { 8192 }
  /// libcrypto's exponentiation with a long exponent would make a cheap key expensive to verify with.
  static var maximumExponentBits: Int { 64 }
  /// What the `openssl` program takes.
  package static var maximumPassphrase: Int { 1024 }

  /// Takes the key over; without one it throws `error`.
  package init(owning pointer: OpaquePointer?, or error: KeyError) throws(KeyError) {
    guard let pointer else { throw error }
    self.pointer = pointer
  }

  /// Reads a public key of any kind from the PEM of its SubjectPublicKeyInfo.
  package init(publicKeyPEM text: String) throws(KeyError) {
    let block = try PEMBlock(text)
    guard block.label == "PUBLIC KEY", !block.hasHeader else { throw .badKey }
    self = try block.contents.span.withUnsafeBufferPointer { (bytes) throws(KeyError) in
      var next = bytes.baseAddress
      let handle = try KeyHandle(owning: d2i_PUBKEY(nil, &next, bytes.count), or: .badKey)
      guard let start = bytes.baseAddress, next == start + bytes.count else { throw .badKey }
      return handle
    }
  }

  @inline(never) deinit { EVP_PKEY_free(pointer) }

  /// The scheme that a key of this kind is used with; nil if there is none.
  package var scheme: SignatureScheme? {
    if EVP_PKEY_is_a(pointer, "ED25519") == 1 { return .ed25519 }
    if EVP_PKEY_is_a(pointer, "EC") == 1 { return .ecdsaP256 }
    if EVP_PKEY_is_a(pointer, "RSA") == 1 { return .rsaPSS }
    return nil
  }

  /// Whether the key is one that `scheme` may be used with, and brings it into its one form.
  package func check(as scheme: SignatureScheme) throws(KeyError) {
    guard self.scheme == scheme else { throw .unsupported }
    switch scheme {
    case .ed25519: break
    case .ecdsaP256: try checkCurve()
    case .rsaPSS: try checkRSA()
    }
  }

  /// The DER of its SubjectPublicKeyInfo (RFC 5280), the same for the same key.
  package func subjectPublicKeyInfo() throws(KeyError) -> [UInt8] {
    try DER.bytes { i2d_PUBKEY(pointer, $0) }
  }

  /// A point can be written compressed and a curve by its parameters, which would make two identities of one key.
  private func checkCurve() throws(KeyError) {
    var name = [CChar](repeating: 0, count: 64)
    var span = name.mutableSpan
    let named = span.withUnsafeMutableBufferPointer {
      EVP_PKEY_get_group_name(pointer, $0.baseAddress, $0.count, nil)
    }
    guard named == 1, name.starts(with: KeyHandle.curve) else { throw .unsupported }
    var isSpelledOut: CInt = 0
    let parameter = OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS
    guard EVP_PKEY_get_int_param(pointer, parameter, &isSpelledOut) == 1, isSpelledOut == 0 else {
      throw .unsupported
    }
    let form = OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT
    guard EVP_PKEY_set_utf8_string_param(pointer, form, "uncompressed") == 1 else { throw .refused }
  }

  /// With the NUL that ends it.
  private static var curve: [CChar] { "prime256v1\0".utf8.map { CChar(bitPattern: $0) } }

  private func checkRSA() throws(KeyError) {
    let bits = Int(EVP_PKEY_get_bits(pointer))
    guard bits >= KeyHandle.minimumBits else { throw .weak(bits: bits) }
    guard bits <= KeyHandle.maximumBits else { throw .tooLarge(bits: bits) }
    var exponent: OpaquePointer?
    defer { BN_free(exponent) }
    guard EVP_PKEY_get_bn_param(pointer, OSSL_PKEY_PARAM_RSA_E, &exponent) == 1 else { throw .refused }
    // Of the odd numbers only 1 has fewer than two bits.
    let allowed = 2...KeyHandle.maximumExponentBits
    guard BN_is_odd(exponent) == 1, BN_is_negative(exponent) == 0,
      allowed.contains(Int(BN_num_bits(exponent)))
    else { throw .badExponent }
  }
}
