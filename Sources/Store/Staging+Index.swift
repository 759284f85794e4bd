package import Crypto
package import Platform

/// Indexes of staged components, each beside the file that it belongs to: `DIGEST.index`.
///
/// Names that continue after `.index.` are being made: the output of the index command, its messages, and
/// whatever else it leaves beside its output.
extension Staging {
  package func hasIndex(_ digest: Digest) throws(Failure) -> Bool { try storedIndex(digest) != nil }

  /// Bytes of a complete index; nil if there is none.
  package func storedIndex(_ digest: Digest) throws(Failure) -> UInt64? {
    try directory.status(of: Staging.index(digest))?.size
  }

  /// Bytes of what the index command has written so far.
  package func partialIndex(_ digest: Digest) throws(Failure) -> UInt64 {
    try directory.status(of: Staging.indexPart(digest))?.size ?? 0
  }

  /// The last bytes of the index command's messages, at most `limit` of them.
  package func endOfIndexLog(_ digest: Digest, upTo limit: UInt64) throws(Failure) -> [UInt8] {
    let file = try directory.open(Staging.indexLog(digest))
    let size = try file.size()
    try file.seek(to: size - min(size, limit))
    return try file.bytes(upTo: limit)
  }

  /// The complete index as the manifest names it, read back from storage; nil if there is none.
  func index(_ digest: Digest, shouldStop: () -> Bool) throws(Failure) -> InstalledIndex? {
    guard let size = try storedIndex(digest) else { return nil }
    let file = try directory.open(Staging.index(digest))
    return InstalledIndex(size: size, digest: try Verification.digest(of: file, shouldStop: shouldStop))
  }

  static func index(_ digest: Digest) -> String { digest.hex + ".index" }
  static func indexPart(_ digest: Digest) -> String { digest.hex + ".index.part" }
  static func indexLog(_ digest: Digest) -> String { digest.hex + ".index.log" }
}
