internal import Platform

/// A latitude or longitude (WGS 84) in steps of a ten-millionth of a degree, about a centimetre.
package struct Degrees: Comparable {
  package let tenMillionths: Int32

  package init(tenMillionths: Int32) { self.tenMillionths = tenMillionths }

  /// Parses such as `-14.18361`; nil if it is not a plain decimal number from -180 to 180.
  package init?(_ text: String) {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let bytes = text.utf8.dropFirst(isNegative ? 1 : 0)
    var value: Int64 = 0
    var decimals: Int?
    guard let first = bytes.first, first != UInt8(ascii: ".") else { return nil }
    for byte in bytes {
      if byte == UInt8(ascii: "."), decimals == nil {
        decimals = 0
        continue
      }
      guard let digit = Int64(ascii: CollectionOfOne(byte)) else { return nil }
      if let count = decimals {
        decimals = count + 1
        if count >= 7 { continue }  // below a centimetre
      }
      value = value * 10 + digit
      guard value <= 1_800_000_000 else { return nil }
    }
    for _ in min(decimals ?? 0, 7)..<7 {
      value *= 10
      guard value <= 1_800_000_000 else { return nil }
    }
    tenMillionths = Int32(isNegative ? -value : value)
  }

  /// As short as it can be written, such as "-14.18361".
  package var text: String {
    let magnitude = tenMillionths.magnitude
    var text = (tenMillionths < 0 ? "-" : "") + "\(magnitude / 10_000_000)"
    var fraction = magnitude % 10_000_000
    guard fraction > 0 else { return text }
    var digits: [UInt8] = []
    for _ in 0..<7 {
      digits.append(UInt8(ascii: "0") + UInt8(fraction % 10))
      fraction /= 10
    }
    while digits.first == UInt8(ascii: "0") { digits.removeFirst() }
    text += "." + String(decoding: digits.reversed(), as: UTF8.self)
    return text
  }

  package static func < (a: Degrees, b: Degrees) -> Bool { a.tenMillionths < b.tenMillionths }
}
