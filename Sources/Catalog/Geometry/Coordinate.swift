/// A latitude or longitude as files of routes write it: also with an exponent, which `Degrees` does not take.
package enum Coordinate {
  /// In ten-millionths of a degree; nil if it is no number of at most three digits before the point.
  package static func tenMillionths(_ text: some Sequence<UInt8>) -> Int64? {
    var (value, scale) = (0.0, 1.0)
    var (isNegative, isFraction, digits) = (false, false, 0)
    var exponent: (isNegative: Bool, value: Int, digits: Int)?
    var isFirst = true
    for byte in text {
      defer { isFirst = false }
      if let digit = digit(byte) {
        if let before = exponent {
          guard before.value < 100 else { return nil }
          exponent = (before.isNegative, before.value * 10 + digit, before.digits + 1)
        } else {
          digits += 1
          guard digits <= 40 else { return nil }
          value = value * 10 + Double(digit)
          if isFraction { scale *= 10 }
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "-") where isFirst: isNegative = true
      case UInt8(ascii: "-"), UInt8(ascii: "+"):
        guard let before = exponent, before.digits == 0, !before.isNegative else { return nil }
        exponent = (byte == UInt8(ascii: "-"), 0, 0)
      case UInt8(ascii: ".") where !isFraction && digits > 0 && exponent == nil: isFraction = true
      case UInt8(ascii: "e") where digits > 0 && exponent == nil,
        UInt8(ascii: "E") where digits > 0 && exponent == nil:
        exponent = (false, 0, 0)
      default: return nil
      }
    }
    guard digits > 0, exponent.map({ $0.digits > 0 }) ?? true else { return nil }
    value /= scale
    for _ in 0..<(exponent?.value ?? 0) { value = exponent?.isNegative == true ? value / 10 : value * 10 }
    guard value < 1000 else { return nil }
    let whole = Int64(value * 10_000_000 + 0.5)
    return isNegative ? -whole : whole
  }

  private static func digit(_ byte: UInt8) -> Int? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
  }

  /// Nil unless both are one; longitudes may go on beyond the antimeridian.
  package static func point(latitude: Int64, longitude: Int64) -> Point? {
    guard latitude.magnitude <= Degrees.quarter, longitude.magnitude <= 2 * Degrees.circle else { return nil }
    return Point(
      latitude: Degrees(tenMillionths: Int32(latitude)),
      longitude: Degrees(tenMillionths: Int32(Degrees.short(longitude))))
  }
}
