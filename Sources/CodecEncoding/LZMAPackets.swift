/// What a raw stream of LZMA2 consists of: literals, and matches with bytes before them.
///
/// (I. Pavlov, "LZMA specification", 2015; the chunks of LZMA2 are those of the .xz file format.)
package struct LZMAPackets {
  package enum Kind: UInt8 {
    case literal
    /// A match at a new distance.
    case match
    /// A match at the last distance.
    case repetition
    /// A match at one of the three distances before it.
    case olderRepetition
    /// One byte at the last distance.
    case shortRepetition
    /// Bytes that are not compressed; models are learned anew after them.
    case uncompressed
  }

  package struct Packet: Equatable {
    package let kind: Kind
    /// In bytes, at least 1.
    package let length: Int
    /// The last distance after the packet, at least 1.
    package let distance: Int
  }

  package private(set) var all: [Packet] = []

  /// Reads a stream that an encoder made of `bytes`; nil if it did not.
  ///
  /// - `model`: the one of the encoder.
  package init?(of stream: [UInt8], bytes: [UInt8], model: LZMAModel) {
    var input = stream[...]
    var state = LZMAState(model)
    var place = 0
    while let control = input.popFirst(), control != 0 {
      let isCompressed = control & 0x80 != 0
      let header = isCompressed ? 4 : 2
      guard input.count >= header else { return nil }
      let sizes = Array(input.prefix(header))
      input = input.dropFirst(header)
      let size = (isCompressed ? Int(control & 0x1f) << 16 : 0) + (Int(sizes[0]) << 8 | Int(sizes[1])) + 1
      guard size <= bytes.count - place else { return nil }
      guard isCompressed else {
        guard input.count >= size else { return nil }
        input = input.dropFirst(size)
        all.append(Packet(kind: .uncompressed, length: size, distance: 1))
        place += size
        continue
      }
      let packed = (Int(sizes[2]) << 8 | Int(sizes[3])) + 1
      let reset = control >> 5 & 3
      // Properties come anew with it: they are those of the model.
      if reset >= 2 { guard input.popFirst() == state.properties else { return nil } }
      if reset >= 1 { state = LZMAState(model) }
      guard input.count >= packed, var coder = RangeDecoder(input.prefix(packed)) else { return nil }
      input = input.dropFirst(packed)
      let end = place + size
      while place < end {
        guard let packet = state.packet(&coder, at: place, of: bytes), packet.length <= end - place,
          packet.kind == .literal
            || (place..<place + packet.length).allSatisfy({ bytes[$0] == bytes[$0 - packet.distance] })
        else { return nil }
        all.append(packet)
        place += packet.length
      }
    }
    guard place == bytes.count else { return nil }
  }
}

/// Reads packets one after the other.
private struct LZMAState {
  let properties: UInt8
  private let model: LZMAModel
  private var history = LZMAHistory()
  private var distances = [1, 1, 1, 1]
  private var isMatch: [UInt16]
  private var isRepetition = LZMAState.probabilities(12)
  private var isOlder = LZMAState.probabilities(12)
  private var isThirdOrFourth = LZMAState.probabilities(12)
  private var isFourth = LZMAState.probabilities(12)
  private var isLong: [UInt16]
  private var slots = LZMAState.probabilities(4 * 64)
  private var special = LZMAState.probabilities(115)
  private var aligned = LZMAState.probabilities(16)
  private var matchLength = LengthDecoder()
  private var repetitionLength = LengthDecoder()
  private var literals: [UInt16]

  static func probabilities(_ count: Int) -> [UInt16] { [UInt16](repeating: 1 << 10, count: count) }

  init(_ model: LZMAModel) {
    self.model = model
    properties = UInt8((model.position * 5 + model.literalPosition) * 9 + model.literalContext)
    isMatch = LZMAState.probabilities(12 << 4)
    isLong = LZMAState.probabilities(12 << 4)
    literals = LZMAState.probabilities(0x300 << Int(model.literalContext + model.literalPosition))
  }

  /// Nil if it refers to what is before the front of `bytes`.
  mutating func packet(
    _ coder: inout RangeDecoder, at place: Int, of bytes: [UInt8]
  ) -> LZMAPackets.Packet? {
    let position = place & (1 << Int(model.position) - 1)
    let state = history.state
    guard coder.bit(&isMatch[state << 4 + position]) else {
      guard let byte = literal(&coder, at: place, of: bytes), byte == bytes[place] else { return nil }
      return packet(.literal, length: 1)
    }
    guard coder.bit(&isRepetition[state]) else {
      let length = matchLength.length(&coder, position)
      let distance = distance(&coder, length: length)
      guard distance <= place else { return nil }
      distances = [distance] + distances.prefix(3)
      return packet(.match, length: length)
    }
    var kind = LZMAPackets.Kind.repetition
    if coder.bit(&isOlder[state]) {
      let number = coder.bit(&isThirdOrFourth[state]) ? coder.bit(&isFourth[state]) ? 3 : 2 : 1
      distances.insert(distances.remove(at: number), at: 0)
      kind = .olderRepetition
    } else if !coder.bit(&isLong[state << 4 + position]) {
      kind = .shortRepetition
    }
    guard distances[0] <= place else { return nil }
    return packet(
      kind, length: kind == .shortRepetition ? 1 : repetitionLength.length(&coder, position))
  }

  private mutating func packet(_ kind: LZMAPackets.Kind, length: Int) -> LZMAPackets.Packet {
    history.append(kind)
    return LZMAPackets.Packet(kind: kind, length: length, distance: distances[0])
  }

  private mutating func literal(_ coder: inout RangeDecoder, at place: Int, of bytes: [UInt8]) -> UInt8? {
    let base = model.literal(at: place, of: bytes)
    var symbol = 1
    if history.isAfterMatch {
      guard distances[0] <= place else { return nil }
      var expected = Int(bytes[place - distances[0]])
      while symbol < 0x100 {
        expected <<= 1
        let bit = coder.bit(&literals[base + 0x100 + (expected & 0x100) + symbol])
        symbol = symbol << 1 | (bit ? 1 : 0)
        if (expected & 0x100 != 0) != bit { break }
      }
    }
    while symbol < 0x100 { symbol = symbol << 1 | (coder.bit(&literals[base + symbol]) ? 1 : 0) }
    return UInt8(truncatingIfNeeded: symbol)
  }

  private mutating func distance(_ coder: inout RangeDecoder, length: Int) -> Int {
    let slot = coder.tree(&slots, at: min(length - 2, 3) << 6, bits: 6)
    guard slot >= 4 else { return slot + 1 }
    let bits = slot >> 1 - 1
    var distance = (2 | slot & 1) << bits
    if slot < 14 {
      distance += coder.reversed(&special, at: distance - slot, bits: bits)
    } else {
      distance += coder.direct(bits - 4) << 4
      distance += coder.reversed(&aligned, at: 0, bits: 4)
    }
    return distance + 1
  }
}

/// Reads lengths of matches.
private struct LengthDecoder {
  private var choices = LZMAState.probabilities(2)
  private var low = LZMAState.probabilities(16 << 3)
  private var middle = LZMAState.probabilities(16 << 3)
  private var high = LZMAState.probabilities(1 << 8)

  mutating func length(_ coder: inout RangeDecoder, _ position: Int) -> Int {
    guard coder.bit(&choices[0]) else { return coder.tree(&low, at: position << 3, bits: 3) + 2 }
    guard coder.bit(&choices[1]) else { return coder.tree(&middle, at: position << 3, bits: 3) + 10 }
    return coder.tree(&high, at: 0, bits: 8) + 18
  }
}

/// Reads bits by their probabilities.
private struct RangeDecoder {
  private let bytes: ArraySlice<UInt8>
  private var next: Int
  private var range: UInt32 = .max
  private var code: UInt32 = 0

  /// Nil if there is too little to begin with.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 5 else { return nil }
    self.bytes = bytes
    next = bytes.startIndex + 5
    for byte in bytes.dropFirst().prefix(4) { code = code << 8 | UInt32(byte) }
  }

  mutating func bit(_ probability: inout UInt16) -> Bool {
    let bound = range >> 11 * UInt32(probability)
    let bit = code >= bound
    if bit {
      range -= bound
      code -= bound
    } else {
      range = bound
    }
    probability.learn(bit)
    normalize()
    return bit
  }

  /// Bits that are both as likely.
  mutating func direct(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      range >>= 1
      let bit = code >= range
      if bit { code -= range }
      value = value << 1 | (bit ? 1 : 0)
      normalize()
    }
    return value
  }

  /// A number, its highest bit first.
  mutating func tree(_ probabilities: inout [UInt16], at base: Int, bits: Int) -> Int {
    var node = 1
    for _ in 0..<bits { node = node << 1 | (bit(&probabilities[base + node]) ? 1 : 0) }
    return node - 1 << bits
  }

  /// A number, its lowest bit first.
  mutating func reversed(_ probabilities: inout [UInt16], at base: Int, bits: Int) -> Int {
    var node = 1
    var value = 0
    for index in 0..<bits {
      let bit = bit(&probabilities[base + node]) ? 1 : 0
      node = node << 1 | bit
      value |= bit << index
    }
    return value
  }

  private mutating func normalize() {
    guard range < 1 << 24 else { return }
    range <<= 8
    code = code << 8 | (next < bytes.endIndex ? UInt32(bytes[next]) : 0)
    next += 1
  }
}
