internal import Platform

/// An invisible character that controls a terminal or changes the direction of the text around it.
struct ControlCharacter: Equatable {
  private let value: UInt32

  /// The first one that is not allowed in a package id, a data group or a label; nil without one.
  init?(inName name: String) {
    guard let found = name.unicodeScalars.first(where: { $0.isControl }) else { return nil }
    value = found.value
  }

  /// The first one that is not allowed in a text for display; nil without one.
  ///
  /// Line feeds and tabs become spaces in a component. Marks of direction belong to right-to-left scripts.
  init?(inText text: String) {
    let found = text.unicodeScalars.first { $0.isControl && !$0.isBlank && !$0.isMark }
    guard let found else { return nil }
    value = found.value
  }

  /// Such as "U+202E".
  var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension Unicode.Scalar {
  /// A tab or the end of a line.
  fileprivate var isBlank: Bool { value == 9 || value == 10 || value == 13 }

  /// A mark of direction.
  fileprivate var isMark: Bool { value == 0x61c || value == 0x200e || value == 0x200f }
}
