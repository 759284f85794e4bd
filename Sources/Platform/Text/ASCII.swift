extension FixedWidthInteger {
  /// Parses the whole of `ascii` as digits in `radix`; nil if empty, not a digit, or too large.
  ///
  /// No sign and no white space.
  package init?(ascii text: some Sequence<UInt8>, radix: Self = 10) {
    var value: Self = 0
    var isEmpty = true
    for byte in text {
      guard let digit = Self(digit: byte, radix: radix) else { return nil }
      let (scaled, overflowed) = value.multipliedReportingOverflow(by: radix)
      let (sum, carried) = scaled.addingReportingOverflow(digit)
      guard !overflowed, !carried else { return nil }
      value = sum
      isEmpty = false
    }
    guard !isEmpty else { return nil }
    self = value
  }

  private init?(digit byte: UInt8, radix: Self) {
    let value: UInt8
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): value = byte - UInt8(ascii: "a") + 10
    default: return nil
    }
    guard value < radix else { return nil }
    self = Self(value)
  }
}

extension String {
  /// The parts between the bytes `separator`, empty ones too, at most `limit` of them.
  ///
  /// When there are more, the last part holds the rest with its separators.
  package func parts(separatedBy separator: Unicode.Scalar, limit: Int = .max) -> [String] {
    let wanted = UInt8(ascii: separator)
    var parts: [String] = []
    var part: [UInt8] = []
    for byte in utf8 {
      if byte == wanted && parts.count < limit - 1 {
        parts.append(String(decoding: part, as: UTF8.self))
        part.removeAll()
      } else {
        part.append(byte)
      }
    }
    parts.append(String(decoding: part, as: UTF8.self))
    return parts
  }

  /// The text without the blanks and tabs at both ends.
  package var trimmed: String {
    var bytes = utf8[...]
    func isBlank(_ byte: UInt8?) -> Bool { byte == 32 || byte == 9 || byte == 13 }
    while isBlank(bytes.first) { bytes = bytes.dropFirst() }
    while isBlank(bytes.last) { bytes = bytes.dropLast() }
    return String(decoding: Array(bytes), as: UTF8.self)
  }

  /// The text with the letters A to Z in lower case.
  package var lowercasedASCII: String {
    String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 + 0x20 : $0 }, as: UTF8.self)
  }
}
