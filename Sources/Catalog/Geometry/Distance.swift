internal import Platform

/// A distance as people write it: in metres, or in kilometres with a K.
package enum Distance {
  /// In metres; nil if `text` is not such as 500 or 50K.
  package static func metres(_ text: String) -> UInt64? {
    var digits = Array(text.utf8)
    let isKilometres = digits.last == UInt8(ascii: "K") || digits.last == UInt8(ascii: "k")
    if isKilometres { digits.removeLast() }
    return UInt32(ascii: digits).map { UInt64($0) * (isKilometres ? 1000 : 1) }
  }

  /// Such as "500 m" or "50 km".
  package static func text(metres: UInt64) -> String {
    metres > 0 && metres % 1000 == 0 ? "\(metres / 1000) km" : "\(metres) m"
  }
}
