/// A string that names something: a member of an object; in signed metadata also a role, a key, a target.
///
/// Compared byte by byte. Swift's `==` on strings follows canonical equivalence, under which two members of
/// one JSON object can be the same.
package struct Name: Equatable, Comparable {
  package let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package static func < (a: Name, b: Name) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}
