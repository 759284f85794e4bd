internal import CCrypto

/// libcrypto refused: out of memory, or the algorithm is not in this build.
package struct HasherError: Error, Equatable {}

/// A running hash, SHA-256 unless another is asked for.
///
/// Owns one `EVP_MD_CTX`.
public struct Hasher: ~Copyable {
  private let context: OpaquePointer
  private let algorithm: HashAlgorithm

  package init(_ algorithm: HashAlgorithm = .sha256) throws(HasherError) {
    // Throw only before the first stored property is set: Swift does not support a noncopyable
    // `self` that is initialized on one throwing path and not on another.
    let context = EVP_MD_CTX_new()
    guard let context, EVP_DigestInit_ex(context, algorithm.implementation, nil) == 1 else {
      EVP_MD_CTX_free(context)  // free(NULL) is allowed
      throw HasherError()
    }
    self.context = context
    self.algorithm = algorithm
  }

  deinit { EVP_MD_CTX_free(context) }

  package mutating func update(_ bytes: RawSpan) throws(HasherError) {
    try bytes.withUnsafeBytes { (bytes) throws(HasherError) in
      guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else { throw HasherError() }
    }
  }

  /// Ends the hash and starts a new one, so that one context serves many frames or files.
  ///
  /// For SHA-256 only; another hash has more bytes than a `Digest` holds.
  package mutating func finish() throws(HasherError) -> Digest {
    guard algorithm == .sha256 else { throw HasherError() }
    var digest = Digest()
    var span = digest.bytes.mutableSpan
    let ok = span.withUnsafeMutableBufferPointer { EVP_DigestFinal_ex(context, $0.baseAddress, nil) }
    guard ok == 1, EVP_DigestInit_ex(context, nil, nil) == 1 else { throw HasherError() }
    return digest
  }

  /// Ends a hash of any algorithm and starts a new one.
  package mutating func finishBytes() throws(HasherError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: algorithm.size)
    var span = digest.mutableSpan
    let ok = span.withUnsafeMutableBufferPointer { EVP_DigestFinal_ex(context, $0.baseAddress, nil) }
    guard ok == 1, EVP_DigestInit_ex(context, nil, nil) == 1 else { throw HasherError() }
    return digest
  }

  /// The digest of bytes that are all in memory.
  package static func digest(of bytes: RawSpan) throws(HasherError) -> Digest {
    var hasher = try Hasher()
    try hasher.update(bytes)
    return try hasher.finish()
  }
}
