internal import CCrypto
package import Crypto

/// Private keys at rest: PKCS#8 (RFC 5958) encrypted by PBES2 with scrypt (RFC 7914) and AES-256-CBC.
extension PrivateKey {
  /// The cost of one guess, as recommended by OWASP's Password Storage Cheat Sheet.
  ///
  /// libcrypto allows scrypt 32 MiB, which 2^15 exceeds by a little; five rounds with 16 MiB make up for it.
  private static var scrypt: (n: UInt64, r: UInt64, p: UInt64) { (1 << 14, 8, 5) }
  private static var saltSize: CInt { 16 }
  private static var label: String { "ENCRYPTED PRIVATE KEY" }

  package func encryptedPEM(passphrase: [UInt8]) throws(KeyError) -> String {
    defer { ERR_clear_error() }
    try PrivateKey.check(passphrase)
    let plain = EVP_PKEY2PKCS8(handle.pointer)
    defer { PKCS8_PRIV_KEY_INFO_free(plain) }
    let (n, r, p) = PrivateKey.scrypt
    let cost = PKCS5_pbe2_set_scrypt(EVP_aes_256_cbc(), nil, PrivateKey.saltSize, nil, n, r, p)
    guard plain != nil, cost != nil else {
      X509_ALGOR_free(cost)
      throw .refused
    }
    let sealed = passphrase.withCharacters { PKCS8_set0_pbe($0, $1, plain, cost) }
    guard let sealed else {
      X509_ALGOR_free(cost)  // taken over only by success
      throw .refused
    }
    defer { X509_SIG_free(sealed) }
    return try PEMBlock.text(PrivateKey.label, of: try DER.bytes { i2d_X509_SIG(sealed, $0) })
  }

  /// Reads the output of `encryptedPEM` or `openssl pkcs8 -topk8`; never asks on a terminal.
  ///
  /// CBC does not detect all damage. A damaged RSA or ECDSA key is refused, because its parts no longer fit; an
  /// ed25519 key becomes another one, so compare `publicText()` with the published key before signing.
  package init(encryptedPEM: String, passphrase: [UInt8]) throws(KeyError) {
    defer { ERR_clear_error() }
    try PrivateKey.check(passphrase)
    let block = try PEMBlock(encryptedPEM)
    switch block.label {
    case PrivateKey.label: break
    case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY":
      // A header of the old PEM format says that the key is encrypted, with a key derived by one round of MD5.
      throw block.hasHeader ? .unsupported : .notEncrypted
    default: throw .badKey
    }
    guard !block.hasHeader else { throw .badKey }
    let plain = try PrivateKey.decrypt(block.contents, passphrase: passphrase)
    defer { PKCS8_PRIV_KEY_INFO_free(plain) }
    let handle = try KeyHandle(owning: EVP_PKCS82PKEY(plain), or: .badKey)
    guard PrivateKey.partsFit(handle) else { throw .badKey }
    try self.init(handle)
  }

  private static func check(_ passphrase: [UInt8]) throws(KeyError) {
    guard (1...KeyHandle.maximumPassphrase).contains(passphrase.count) else { throw .badPassphrase }
  }

  private static func decrypt(_ contents: [UInt8], passphrase: [UInt8]) throws(KeyError) -> OpaquePointer {
    let (sealed, isWhole) = contents.span.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      let sealed = d2i_X509_SIG(nil, &next, bytes.count)
      return (sealed, next == bytes.baseAddress.map { $0 + bytes.count })
    }
    defer { X509_SIG_free(sealed) }
    guard sealed != nil, isWhole else { throw .badKey }
    ERR_clear_error()
    let plain = passphrase.withCharacters { PKCS8_decrypt(sealed, $0, $1) }
    if let plain { return plain }
    // A wrong key leaves wrong padding, or, once in 256 times, something that is not a key.
    let error = ERR_peek_last_error()
    let isNonsense = [PKCS12_R_PKCS12_CIPHERFINAL_ERROR, PKCS12_R_DECODE_ERROR].contains(
      ERR_GET_REASON(error))
    throw ERR_GET_LIB(error) == ERR_LIB_PKCS12 && isNonsense ? .wrongPassphrase : .unsupported
  }

  private static func partsFit(_ handle: borrowing KeyHandle) -> Bool {
    let context = EVP_PKEY_CTX_new(handle.pointer, nil)
    defer { EVP_PKEY_CTX_free(context) }
    return context != nil && EVP_PKEY_check(context) == 1
  }
}

extension [UInt8] {
  /// Passes the bytes as characters and their number, without copying them: a passphrase for libcrypto.
  fileprivate func withCharacters<Result>(_ body: (UnsafePointer<CChar>?, CInt) -> Result) -> Result {
    span.withUnsafeBytes {
      body($0.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(clamping: $0.count))
    }
  }
}
