package import Crypto

/// A digest that metadata lists for a file, of an algorithm that this program knows.
package struct ListedHash: Equatable {
  package let algorithm: HashAlgorithm
  /// In lower case.
  package let hex: String

  /// Reads a `hashes` object: not empty, and all of its values are texts.
  ///
  /// Those of unknown algorithms are left out; a file with none left cannot be checked and never matches.
  static func read(_ hashes: JSONValue) throws(MetadataFlaw) -> [ListedHash] {
    guard hashes.kind == .object, hashes.count > 0 else { throw .member("hashes") }
    var list: [ListedHash] = []
    try hashes.forEachMember { (name, value) throws(MetadataFlaw) in
      guard let text = value.text else { throw .member("hashes") }
      guard let algorithm = HashAlgorithm(name: name.text) else { return }
      // A text that is no digest stays, as something that nothing has.
      list.append(ListedHash(algorithm: algorithm, hex: Hex.bytes(text).map { Hex.text($0) } ?? ""))
    }
    return list
  }

  /// All of `bytes` have this digest.
  func matches(_ bytes: [UInt8]) -> Bool {
    do throws(HasherError) {
      var hasher = try Hasher(algorithm)
      try hasher.update(bytes.span.bytes)
      return Name(Hex.text(try hasher.finishBytes())) == Name(hex)
    } catch { return false }
  }
}

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

/// A target: its size in bytes, and what its bytes must be (TUF 1.0, section 4.6).
package struct TargetFile: Equatable {
  package let path: Name
  package let length: UInt64
  /// Those of known algorithms; a target without any is never accepted.
  package let hashes: [ListedHash]

  init(path: Name, _ value: JSONValue) throws(MetadataFlaw) {
    guard value.kind == .object, !path.bytes.isEmpty, path.bytes.count <= Limits.name else {
      throw .member("targets")
    }
    self.path = path
    length = try value.number("length", from: 0)
    hashes = try ListedHash.read(value.object("hashes"))
  }

  /// Where the target lies below the targets' base URL: with consistent snapshots, a digest stands before
  /// the last part of the path (TUF 1.0, section 5.7).
  package func location(hasConsistentSnapshots: Bool) -> String {
    guard hasConsistentSnapshots, let hash = hashes.first(where: { $0.algorithm == .sha256 }) ?? hashes.first
    else { return path.text }
    let last = path.bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return String(decoding: path.bytes[..<last], as: UTF8.self) + hash.hex + "."
      + String(decoding: path.bytes[last...], as: UTF8.self)
  }
}
