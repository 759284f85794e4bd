internal import JSONReading

/// What timestamp and snapshot say of another metadata file (TUF 1.0, sections 4.4 and 4.5).
package struct MetaFile: Equatable {
  package let version: UInt64
  /// Bytes, if they are listed.
  package let length: UInt64?
  /// Nil if none are listed.
  package let hashes: [ListedHash]?

  init(_ value: JSONValue) throws(MetadataFlaw) {
    guard value.kind == .object else { throw .member("meta") }
    version = try value.number("version", from: 1)
    length = try value.numberIfAny("length", from: 0)
    hashes = try value.member("hashes").map { (hashes) throws(MetadataFlaw) in try ListedHash.read(hashes) }
  }

  /// The bytes have the length and every digest that are listed.
  package func matches(_ bytes: [UInt8]) -> Bool {
    if let length, length != UInt64(bytes.count) { return false }
    guard let hashes else { return true }
    return !hashes.isEmpty && hashes.allSatisfy { $0.matches(bytes) }
  }
}
