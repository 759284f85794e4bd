/// A number of bytes, as people write it.
package struct ByteCount: Equatable {
  package let bytes: UInt64

  package init(_ bytes: UInt64) { self.bytes = bytes }

  /// Parses `8M`, `512K`, `1G` (powers of 1024) or plain bytes; nil if it is none of these.
  package init?(_ text: String) {
    var digits = Array(text.utf8)
    var scale: UInt64 = 1
    switch digits.last {
    case UInt8(ascii: "K"), UInt8(ascii: "k"): scale = 1 << 10
    case UInt8(ascii: "M"), UInt8(ascii: "m"): scale = 1 << 20
    case UInt8(ascii: "G"), UInt8(ascii: "g"): scale = 1 << 30
    default: break
    }
    if scale > 1 { digits.removeLast() }
    guard let count = UInt64(ascii: digits) else { return nil }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: scale)
    guard !overflow else { return nil }
    self.bytes = bytes
  }

  /// What is needed, so that it suffices: the same as `text`, rounded up, where that is rounded down.
  package var atLeast: String {
    var step: UInt64 = 1
    // No number of 64 bits has more than 20 digits.
    while bytes / step >= 1000 { step *= 10 }
    let (rounded, overflow) = (bytes / step + (bytes % step == 0 ? 0 : 1)).multipliedReportingOverflow(
      by: step)
    return ByteCount(overflow ? .max : rounded).text
  }

  /// Such as "512 B", "14.2 kB" or "3.05 MB" (powers of 1000, three digits).
  package var text: String {
    var unit = 0
    var divisor: UInt64 = 1
    while bytes / divisor >= 1000 && unit < 4 {
      divisor *= 1000
      unit += 1
    }
    guard unit > 0 else { return "\(bytes) B" }
    let units: [String] = ["B", "kB", "MB", "GB", "TB"]
    let whole = bytes / divisor
    let rest = bytes % divisor
    if whole >= 100 { return "\(whole) \(units[unit])" }
    if whole >= 10 { return "\(whole).\(rest / (divisor / 10)) \(units[unit])" }
    let hundredths = rest / (divisor / 100)
    return "\(whole).\(hundredths < 10 ? "0" : "")\(hundredths) \(units[unit])"
  }

  /// The share of `whole` in per cent with one digit, such as "4.1 %"; a dash if there is no whole.
  package func share(of whole: UInt64) -> String {
    guard whole > 0 else { return "-" }
    let (scaled, overflow) = bytes.multipliedReportingOverflow(by: 1000)
    let thousandths = overflow ? bytes / (max(whole, 1000) / 1000) : scaled / whole
    return "\(thousandths / 10).\(thousandths % 10) %"
  }
}
