internal import Platform

/// A parsed JSON text: its bytes, and where its values are in them, in three arrays of bounded size.
final class JSONTape {
  let text: [UInt8]
  /// In the order of the text: a container before what is in it, the name of a member before its value.
  let nodes: [JSONNode]
  /// For each object the indices of its members' names, sorted by their bytes; `JSONNode.start` is where they begin.
  let order: [UInt32]

  init(text: [UInt8], nodes: [JSONNode], order: [UInt32]) {
    self.text = text
    self.nodes = nodes
    self.order = order
  }
}

/// A value, or the name of a member.
struct JSONNode {
  enum Kind: UInt8 { case object, array, text, whole, fraction, yes, no, null }

  let kind: Kind
  /// A string with escapes: its bytes are not those of the text.
  var isEscaped = false
  /// An offset in the text, for strings (without their quotation marks) and numbers; for objects an index in `order`.
  var start: UInt32
  /// Bytes of the text, for strings and numbers; for containers their members or elements.
  var count: UInt32
  /// The index of the node after this one and all that is in it.
  var next: UInt32
}

/// The bytes of strings.
enum JSONString {
  /// The bytes of a node.
  static func bytes(_ node: JSONNode, in text: [UInt8]) -> [UInt8] {
    let raw = text[Int(node.start)..<Int(node.start + node.count)]
    guard node.isEscaped else { return Array(raw) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var position = raw.startIndex
    while position < raw.endIndex {
      let byte = raw[position]
      position += 1
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let escape = raw[position]
      position += 1
      guard escape == UInt8(ascii: "u") else {
        bytes.append(character(escape) ?? escape)
        continue
      }
      var scalar = UInt32(hexUnit(raw, at: position))
      position += 4
      if 0xd800...0xdbff ~= scalar {
        // The parser has seen that the other half follows.
        scalar = 0x10000 + (scalar - 0xd800) << 10 + UInt32(hexUnit(raw, at: position + 2)) - 0xdc00
        position += 6
      }
      if let scalar = Unicode.Scalar(scalar) { bytes += UTF8.encode(scalar) ?? .init() }
    }
    return bytes
  }

  /// The byte that a backslash and `letter` stand for; nil if that is not a one-letter escape.
  static func character(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 8
    case UInt8(ascii: "f"): 12
    case UInt8(ascii: "n"): 10
    case UInt8(ascii: "r"): 13
    case UInt8(ascii: "t"): 9
    default: nil
    }
  }

  /// Four hexadecimal digits; one that is none counts as 0.
  private static func hexUnit(_ text: ArraySlice<UInt8>, at position: Int) -> UInt16 {
    var unit: UInt16 = 0
    for byte in text[position..<position + 4] { unit = unit << 4 | UInt16(Hex.value(byte) ?? 0) }
    return unit
  }
}
