/// The numbers of RFC 1951.
package enum Deflate {
  /// The lengths of matches.
  package static let lengths = 3...258
  /// The distances of matches.
  package static let distances = 1...32768
  /// The symbol that ends a block.
  package static let endOfBlock = 256
  /// The most symbols for literals and lengths, and for distances, that a block can define.
  package static let maximumSymbols = (literals: 288, distances: 32)
  /// The lengths of the codes of fixed blocks: of literals and lengths, then of distances.
  package static var fixedLengths: InlineArray<320, UInt8> {
    var lengths = InlineArray<320, UInt8>(repeating: 8)
    for symbol in 144..<256 { lengths[symbol] = 9 }
    for symbol in 256..<280 { lengths[symbol] = 7 }
    for symbol in 288..<320 { lengths[symbol] = 5 }
    return lengths
  }
  /// The order in which the lengths of the codes for code lengths are stored.
  package static let lengthOrder: InlineArray<19, UInt8> = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// A symbol, and the bits that follow it.
  package struct Symbol: Equatable, Sendable {
    package let number: Int
    package let extra: Int
    package let extraBits: Int
  }

  /// How a length is encoded.
  package static func symbol(ofLength length: Int) -> Symbol {
    let value = length - lengths.lowerBound
    // The longest has a symbol of its own.
    if length == lengths.upperBound { return Symbol(number: 285, extra: 0, extraBits: 0) }
    guard value >= 8 else { return Symbol(number: 257 + value, extra: 0, extraBits: 0) }
    let bits = logarithm(value) - 2
    return Symbol(
      number: 257 + 4 * bits + (value >> bits), extra: value & ((1 << bits) - 1), extraBits: bits)
  }

  /// How a distance is encoded.
  package static func symbol(ofDistance distance: Int) -> Symbol {
    let value = distance - distances.lowerBound
    guard value >= 4 else { return Symbol(number: value, extra: 0, extraBits: 0) }
    let bits = logarithm(value) - 1
    return Symbol(number: 2 * bits + (value >> bits), extra: value & ((1 << bits) - 1), extraBits: bits)
  }

  /// The largest power of two that is not larger than a positive number, as its exponent.
  static func logarithm(_ value: Int) -> Int { Int.bitWidth - 1 - value.leadingZeroBitCount }
}
