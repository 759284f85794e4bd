/// A name that is equal to another if its bytes are, as for a file system.
package protocol BytewiseName: Hashable, Comparable, CustomStringConvertible {
  var text: String { get }
}

extension BytewiseName {
  package var description: String { text }

  package static func == (a: Self, b: Self) -> Bool { Identifier.isSame(a.text, b.text) }
  package static func < (a: Self, b: Self) -> Bool { Identifier.isBefore(a.text, b.text) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(0xff as UInt8)  // no byte of a text, so that one name does not run into the next
  }
}
