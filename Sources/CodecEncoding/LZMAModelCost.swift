/// What packets cost with different models, without compressing them again.
///
/// An encoder would choose slightly other packets with each model; most of the difference is in how the same ones are
/// coded. Only what models code differently is counted.
package struct LZMAModelCost {
  private let model: LZMAModel
  private var history = LZMAHistory()
  private var isMatch: [UInt16] = []
  private var isLong: [UInt16] = []
  private var lengths: [[UInt16]] = []
  private var literals: [UInt16] = []
  /// In 16ths of a bit.
  private var cost = 0

  /// In 16ths of a bit; to be compared with what the same packets cost with other models.
  ///
  /// - `bytes`: those that the packets make.
  package static func of(_ packets: LZMAPackets, bytes: [UInt8], model: LZMAModel) -> Int {
    var cost = LZMAModelCost(model)
    var place = 0
    for packet in packets.all {
      cost.append(packet, at: place, of: bytes)
      place += packet.length
    }
    return cost.cost
  }

  private init(_ model: LZMAModel) {
    self.model = model
    reset()
  }

  private mutating func reset() {
    history = LZMAHistory()
    let even: UInt16 = 1 << 10
    isMatch = [UInt16](repeating: even, count: 12 << 4)
    isLong = isMatch
    // Each value of the position has a tree of short lengths and one of medium ones.
    lengths = [[UInt16]](repeating: [UInt16](repeating: even, count: 2 << 7), count: 2)
    literals = [UInt16](
      repeating: even, count: 0x300 << Int(model.literalContext + model.literalPosition))
  }

  private mutating func append(_ packet: LZMAPackets.Packet, at place: Int, of bytes: [UInt8]) {
    let position = place & (1 << Int(model.position) - 1)
    let state = history.state
    switch packet.kind {
    case .uncompressed:
      return reset()
    case .literal:
      cost += isMatch[state << 4 + position].code(false)
      appendLiteral(at: place, of: bytes, distance: packet.distance)
    case .match, .olderRepetition:
      cost += isMatch[state << 4 + position].code(true)
      appendLength(packet.length, isRepetition: packet.kind != .match, position)
    case .repetition, .shortRepetition:
      cost += isMatch[state << 4 + position].code(true)
      cost += isLong[state << 4 + position].code(packet.kind == .repetition)
      if packet.kind == .repetition { appendLength(packet.length, isRepetition: true, position) }
    }
    history.append(packet.kind)
  }

  private mutating func appendLiteral(at place: Int, of bytes: [UInt8], distance: Int) {
    let base = model.literal(at: place, of: bytes)
    let byte = Int(bytes[place]) | 0x100
    let isAfterMatch = history.isAfterMatch
    var expected = isAfterMatch ? Int(bytes[place - distance]) : 0
    var cost = cost
    literals.withUnsafeMutableBufferPointer { literals in
      var node = 1
      var isExpected = isAfterMatch
      for shift in (0..<8).reversed() {
        let bit = byte >> shift & 1
        expected <<= 1
        let slot = base + node + (isExpected ? 0x100 + (expected & 0x100) : 0)
        cost += literals[slot].code(bit != 0)
        if expected >> 8 & 1 != bit { isExpected = false }
        node = node << 1 | bit
      }
    }
    self.cost = cost
  }

  private mutating func appendLength(_ length: Int, isRepetition: Bool, _ position: Int) {
    // Longer ones are coded alike with all models.
    guard length < 18 else { return }
    let value = (length - 2) & 7 | 8
    let tree = (length < 10 ? 0 : 16) + position
    var node = 1
    for shift in (0..<3).reversed() {
      let bit = value >> shift & 1
      cost += lengths[isRepetition ? 1 : 0][tree << 3 + node].code(bit != 0)
      node = node << 1 | bit
    }
  }
}
