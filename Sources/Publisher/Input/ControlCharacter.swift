/// A character that no reader sees, and that steers a terminal or changes the direction of the text around it.
struct ControlCharacter: Equatable {
  private let value: UInt32

  /// The first one that a name of the tree, a data group or a label must not have; nil if there is none.
  init?(inName name: String) {
    guard let found = name.unicodeScalars.first(where: { ControlCharacter.isControl($0) || $0.isMark }) else {
      return nil
    }
    value = found.value
  }

  /// The first one that a text for people must not have; nil if there is none.
  ///
  /// Line feeds and tabs become blanks in a component. Marks of direction belong to right-to-left scripts.
  init?(inText text: String) {
    let found = text.unicodeScalars.first { ControlCharacter.isControl($0) && !$0.isBlank }
    guard let found else { return nil }
    value = found.value
  }

  /// Such as "U+202E".
  var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0: true
    // Embeddings, overrides and isolates.
    case 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

extension Unicode.Scalar {
  /// A tab or the end of a line.
  fileprivate var isBlank: Bool { value == 9 || value == 10 || value == 13 }

  /// A mark of direction.
  fileprivate var isMark: Bool { value == 0x61c || value == 0x200e || value == 0x200f }
}
