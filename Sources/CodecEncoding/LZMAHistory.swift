/// What kinds of packets came last, which LZMA codes the next one by.
struct LZMAHistory {
  /// 0 to 11.
  private(set) var state = 0

  /// Whether the next literal is coded by the byte that a match would have there.
  var isAfterMatch: Bool { state >= 7 }

  mutating func append(_ kind: LZMAPackets.Kind) {
    switch kind {
    case .literal: state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6
    case .match: state = state < 7 ? 7 : 10
    case .repetition, .olderRepetition: state = state < 7 ? 8 : 11
    case .shortRepetition: state = state < 7 ? 9 : 11
    case .uncompressed: state = 0
    }
  }
}

extension LZMAModel {
  /// Where the probabilities begin that the literal at `place` is coded with.
  func literal(at place: Int, of bytes: [UInt8]) -> Int {
    let before = place > 0 ? Int(bytes[place - 1]) : 0
    let context = Int(literalContext)
    return 0x300 * ((place & (1 << Int(literalPosition) - 1)) << context + before >> (8 - context))
  }
}

/// The probability that a bit is 0, of 2048.
extension UInt16 {
  mutating func learn(_ bit: Bool) {
    if bit { self -= self >> 5 } else { self += (1 << 11 - self) >> 5 }
  }

  /// Learns a bit, and returns what it cost, in 16ths of a bit.
  mutating func code(_ bit: Bool) -> Int {
    let price = LZMAPrices.all[Int((bit ? 1 << 11 - self : self) >> 4)]
    learn(bit)
    return price
  }
}

private enum LZMAPrices {
  /// Minus the binary logarithms of probabilities in steps of 1/128, in 16ths.
  static let all: [Int] = (0..<128).map { step in
    var value = step * 16 + 8
    var bits = 0
    // Each square gives another bit of the logarithm.
    for _ in 0..<4 {
      value *= value
      bits *= 2
      while value >= 1 << 16 {
        value >>= 1
        bits += 1
      }
    }
    return 11 * 16 - 15 - bits
  }
}
