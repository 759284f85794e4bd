/// Decodes bits from a number in a range: a bit halves the range not in the middle, but by its probability.
///
/// The range coder of LZMA (I. Pavlov, `lzma-specification.txt`, "Range Decoder") without its first byte, which is always 0,
/// with probabilities of 16 bits.
struct RangeDecoder {
  private var range: UInt32 = .max
  private var code: UInt32 = 0

  /// How many bytes are taken before the first bit.
  static var firstBytes: Int { 4 }

  /// Whether a byte has to be taken before the next bit.
  var needsByte: Bool { range < 1 << 24 }

  /// Whether this is where the encoder has ended.
  var isAtEnd: Bool { code == 0 }

  /// Takes one of the first bytes.
  mutating func begin(_ byte: UInt8) { code = code << 8 | UInt32(byte) }

  mutating func take(_ byte: UInt8) {
    range <<= 8
    code = code << 8 | UInt32(byte)
  }

  /// - `probability`: of a 1, in parts of 2^16.
  mutating func decode(_ probability: UInt32) -> Bool {
    let bound = range >> 16 * probability
    if code < bound {
      range = bound
      return true
    }
    code -= bound
    range -= bound
    return false
  }
}
