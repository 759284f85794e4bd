package import JSONReading

/// A target: its size in bytes, and what its bytes must be (TUF 1.0, section 4.6).
package struct TargetFile: Equatable {
  package let path: Name
  package let length: UInt64
  /// Those of known algorithms; a target without any is never accepted.
  package let hashes: [ListedHash]

  package init(path: Name, value: JSONValue) throws(MetadataFlaw) {
    guard value.kind == .object, !path.bytes.isEmpty, path.bytes.count <= TrustLimits.name else {
      throw .member("targets")
    }
    self.path = path
    length = try value.number("length", from: 0)
    hashes = try ListedHash.read(value.object("hashes"))
  }
}
