internal import Crypto

/// A target: its size in bytes, and what its bytes must be (TUF 1.0, section 4.6).
package struct TargetFile: Equatable {
  package let path: Name
  package let length: UInt64
  /// Those of known algorithms; a target without any is never accepted.
  package let hashes: [ListedHash]

  init(path: Name, value: JSONValue) throws(MetadataFlaw) {
    guard value.kind == .object, !path.bytes.isEmpty, path.bytes.count <= TrustLimits.name else {
      throw .member("targets")
    }
    self.path = path
    length = try value.number("length", from: 0)
    hashes = try ListedHash.read(value.object("hashes"))
  }

  /// Where the target lies below the targets' base URL: with consistent snapshots, a digest precedes
  /// the last part of the path (TUF 1.0, section 5.7).
  package func location(hasConsistentSnapshots: Bool) -> String {
    guard hasConsistentSnapshots, let hash = hashes.first(where: { $0.algorithm == .sha256 }) ?? hashes.first
    else { return path.text }
    let last = path.bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return String(decoding: path.bytes[..<last], as: UTF8.self) + hash.hex + "."
      + String(decoding: path.bytes[last...], as: UTF8.self)
  }
}
