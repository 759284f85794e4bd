package import Crypto
internal import JSONReading
internal import Platform

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
      // A text that is not a digest is kept, as one that no file has.
      list.append(ListedHash(algorithm: algorithm, hex: Hex.bytes(text).map { Hex.text($0) } ?? ""))
    }
    return list
  }

  /// All of `bytes` have this digest.
  package func matches(_ bytes: [UInt8]) -> Bool {
    do throws(HasherError) {
      var hasher = try Hasher(algorithm)
      try hasher.update(bytes.span.bytes)
      return Name(Hex.text(try hasher.finishBytes())) == Name(hex)
    } catch { return false }
  }
}
