/// What packets cost with different models, without compressing them again.
///
/// An encoder would choose slightly other packets with each model; most of the difference is in how the same ones are
/// coded. Only what models code differently is counted: literals, which do not depend on `position`, and what depends on
/// nothing else.
package enum LZMAModelCost {
  /// For each model, in 16ths of a bit; to be compared with each other.
  ///
  /// - `bytes`: those that the packets make.
  package static func of(_ packets: LZMAPackets, bytes: [UInt8], models: [LZMAModel]) -> [Int] {
    var literals: [LZMAModel: Int] = [:]
    var positions: [UInt32: Int] = [:]
    return models.map { model in
      let literalModel = LZMAModel(lc: model.literalContext, lp: model.literalPosition, pb: 0)
      let literal = literals[literalModel] ?? LiteralCost(literalModel).cost(of: packets, bytes)
      let position = positions[model.position] ?? PositionCost(bits: Int(model.position)).cost(of: packets)
      literals[literalModel] = literal
      positions[model.position] = position
      return literal + position
    }
  }
}

/// What the bytes of literals cost.
private struct LiteralCost: ~Copyable {
  private let model: LZMAModel
  private let probabilities: UnsafeMutableBufferPointer<UInt16>

  init(_ model: LZMAModel) {
    self.model = model
    probabilities = .allocate(capacity: 0x300 << Int(model.literalContext + model.literalPosition))
    reset()
  }

  deinit { probabilities.deallocate() }

  private func reset() { probabilities.initialize(repeating: 1 << 10) }

  consuming func cost(of packets: LZMAPackets, _ bytes: [UInt8]) -> Int {
    var cost = 0
    var history = LZMAHistory()
    var place = 0
    for packet in packets.all {
      switch packet.kind {
      case .literal:
        let base = model.literal(at: place, of: bytes)
        cost +=
          history.isAfterMatch
          ? code(bytes[place], expected: bytes[place - packet.distance], base)
          : code(bytes[place], base)
      case .uncompressed: reset()
      default: break
      }
      history.append(packet.kind)
      place += packet.length
    }
    return cost
  }

  private func code(_ byte: UInt8, _ base: Int) -> Int {
    var cost = 0
    var node = Int(byte) | 0x100
    while node > 1 {
      let bit = node & 1 != 0
      node >>= 1
      cost += probabilities[base + node].code(bit)
    }
    return cost
  }

  /// A literal after a match, which is not the byte that the match would have there.
  private func code(_ byte: UInt8, expected: UInt8, _ base: Int) -> Int {
    var cost = 0
    var node = 1
    var isExpected = true
    for shift in (0..<8).reversed() {
      let bit = Int(byte) >> shift & 1
      let other = Int(expected) >> shift & 1
      cost += probabilities[base + node + (isExpected ? 0x100 + other << 8 : 0)].code(bit != 0)
      if other != bit { isExpected = false }
      node = node << 1 | bit
    }
    return cost
  }
}

/// What kinds of packets and short lengths cost.
private struct PositionCost {
  private let mask: Int
  private var isMatch: [UInt16] = []
  private var isLong: [UInt16] = []
  private var lengths: [[UInt16]] = []

  init(bits: Int) {
    mask = 1 << bits - 1
    reset()
  }

  private mutating func reset() {
    let even: UInt16 = 1 << 10
    isMatch = [UInt16](repeating: even, count: 12 << 4)
    isLong = isMatch
    // Each value of the position has a tree of short lengths and one of medium ones.
    lengths = [[UInt16]](repeating: [UInt16](repeating: even, count: 2 << 7), count: 2)
  }

  consuming func cost(of packets: LZMAPackets) -> Int {
    var cost = 0
    var history = LZMAHistory()
    var place = 0
    for packet in packets.all {
      if packet.kind == .uncompressed { reset() } else { cost += code(packet, history, place & mask) }
      history.append(packet.kind)
      place += packet.length
    }
    return cost
  }

  private mutating func code(_ packet: LZMAPackets.Packet, _ history: LZMAHistory, _ position: Int) -> Int {
    let slot = history.state << 4 + position
    var cost = isMatch[slot].code(packet.kind != .literal)
    switch packet.kind {
    case .literal, .uncompressed: break
    case .match: cost += code(length: packet.length, isRepetition: false, position)
    case .olderRepetition: cost += code(length: packet.length, isRepetition: true, position)
    case .shortRepetition: cost += isLong[slot].code(false)
    case .repetition:
      cost += isLong[slot].code(true)
      cost += code(length: packet.length, isRepetition: true, position)
    }
    return cost
  }

  private mutating func code(length: Int, isRepetition: Bool, _ position: Int) -> Int {
    // Longer ones are coded alike with all models.
    guard length < 18 else { return 0 }
    let value = (length - 2) & 7 | 8
    let tree = (length < 10 ? 0 : 16) + position
    var cost = 0
    var node = 1
    for shift in (0..<3).reversed() {
      let bit = value >> shift & 1
      cost += lengths[isRepetition ? 1 : 0][tree << 3 + node].code(bit != 0)
      node = node << 1 | bit
    }
    return cost
  }
}
