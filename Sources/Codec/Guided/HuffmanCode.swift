/// A canonical Huffman code of RFC 1951, 3.2.2, for writing.
struct HuffmanCode: ~Copyable {
  /// For each symbol the code, its first bit lowest, shifted by four; and its length, 0 without a code.
  private var codes: [UInt32]

  init(symbols: Int) { codes = [UInt32](repeating: 0, count: symbols) }

  /// Assigns codes of these lengths, each at most 15, to the first symbols; false if there are not enough codes.
  mutating func assign(_ lengths: Span<UInt8>) -> Bool {
    guard lengths.count <= codes.count else { return false }
    var counts = InlineArray<16, UInt32>(repeating: 0)
    for index in 0..<lengths.count { counts[Int(lengths[index] & 15)] += 1 }
    counts[0] = 0
    var next = InlineArray<16, UInt32>(repeating: 0)
    var code: UInt32 = 0
    for length in 1...15 {
      code = (code + counts[length - 1]) << 1
      next[length] = code
      guard code + counts[length] <= 1 << UInt32(length) else { return false }
    }
    for index in 0..<codes.count {
      let length = index < lengths.count ? Int(lengths[index] & 15) : 0
      codes[index] = 0
      guard length > 0 else { continue }
      let reversed = next[length].bitsReversed >> UInt32(32 - length)
      codes[index] = reversed << 4 | UInt32(length)
      next[length] += 1
    }
    return true
  }

  /// The code of a symbol, the first bit lowest, and its length; nil without one.
  func code(_ symbol: Int) -> (bits: UInt32, count: Int)? {
    guard symbol < codes.count, codes[symbol] > 0 else { return nil }
    return (codes[symbol] >> 4, Int(codes[symbol] & 15))
  }
}

extension UInt32 {
  fileprivate var bitsReversed: UInt32 {
    var rest = self
    var result: UInt32 = 0
    for _ in 0..<32 {
      result = result << 1 | rest & 1
      rest >>= 1
    }
    return result
  }
}
