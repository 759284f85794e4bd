internal import CCrypto

/// libcrypto refused: out of memory, or the algorithm is not in this build.
package struct HasherError: Error, Equatable {}

/// A running hash, SHA-256 unless another is asked for.
///
/// SHA-256 is called directly: the general way (`EVP_DigestInit_ex`) would first set up all algorithms of libcrypto,
/// which costs more than a megabyte of resident memory. All that is set up is what the processor can do: without it,
/// the instructions for SHA-256 are not used. Owns a `SHA256_CTX`, or an `EVP_MD_CTX` for the others.
public struct Hasher: ~Copyable {
  private let sha256: UnsafeMutablePointer<SHA256_CTX>?
  private let context: OpaquePointer?
  private let algorithm: HashAlgorithm

  package init(_ algorithm: HashAlgorithm = .sha256) throws(HasherError) {
    // Throw only before the first stored property is set: Swift does not support a noncopyable
    // `self` that is initialized on one throwing path and not on another.
    if algorithm == .sha256 {
      OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
      let sha256 = UnsafeMutablePointer<SHA256_CTX>.allocate(capacity: 1)
      SHA256_Init(sha256)  // always 1
      self.sha256 = sha256
      context = nil
    } else {
      let context = EVP_MD_CTX_new()
      guard let context, EVP_DigestInit_ex(context, algorithm.implementation, nil) == 1 else {
        EVP_MD_CTX_free(context)  // free(NULL) is allowed
        throw HasherError()
      }
      self.context = context
      sha256 = nil
    }
    self.algorithm = algorithm
  }

  @inline(never) deinit {
    sha256?.deallocate()
    EVP_MD_CTX_free(context)
  }

  package mutating func update(_ bytes: RawSpan) throws(HasherError) {
    try bytes.withUnsafeBytes { (bytes) throws(HasherError) in
      let ok =
        if let sha256 {
          SHA256_Update(sha256, bytes.baseAddress, bytes.count)
        } else {
          EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        }
      guard ok == 1 else { throw HasherError() }
    }
  }

  /// Ends the hash and starts a new one, so that one context serves many frames or files.
  ///
  /// For SHA-256 only; another hash has more bytes than a `Digest` holds.
  package mutating func finish() throws(HasherError) -> Digest {
    guard algorithm == .sha256 else { throw HasherError() }
    var digest = Digest()
    var span = digest.bytes.mutableSpan
    let ok = span.withUnsafeMutableBufferPointer { end($0.baseAddress) }
    guard ok else { throw HasherError() }
    return digest
  }

  /// Ends a hash of any algorithm and starts a new one.
  package mutating func finishBytes() throws(HasherError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: algorithm.size)
    var span = digest.mutableSpan
    let ok = span.withUnsafeMutableBufferPointer { end($0.baseAddress) }
    guard ok else { throw HasherError() }
    return digest
  }

  /// Writes the digest, and starts a new hash.
  private func end(_ digest: UnsafeMutablePointer<UInt8>?) -> Bool {
    guard let sha256 else {
      return EVP_DigestFinal_ex(context, digest, nil) == 1 && EVP_DigestInit_ex(context, nil, nil) == 1
    }
    return SHA256_Final(digest, sha256) == 1 && SHA256_Init(sha256) == 1
  }

  /// The digest of bytes that are all in memory.
  package static func digest(of bytes: RawSpan) throws(HasherError) -> Digest {
    var hasher = try Hasher()
    try hasher.update(bytes)
    return try hasher.finish()
  }
}
