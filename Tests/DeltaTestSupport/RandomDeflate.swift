internal import TestSupport

/// Makes deflate streams as no encoder makes them: of random blocks with random matches.
package struct RandomDeflate {
  private var random: SeededGenerator
  private let content: [UInt8]
  /// Whether there are stored blocks.
  private let stores: Bool
  private var offset = 0
  private var stream: [UInt8] = []
  private var bits: UInt64 = 0
  private var bitCount = 0

  /// A stream without a wrapper.
  package static func stream(_ content: [UInt8], seed: UInt64, stores: Bool = true) -> [UInt8] {
    var encoder = RandomDeflate(random: SeededGenerator(seed), content: content, stores: stores)
    while encoder.offset < content.count { encoder.appendBlock() }
    // An empty fixed block is the last one.
    encoder.append(3, 3)
    encoder.append(0, 7)
    encoder.align()
    return encoder.stream
  }

  private init(random: SeededGenerator, content: [UInt8], stores: Bool) {
    self.stores = stores
    self.random = random
    self.content = content
  }

  private mutating func append(_ value: Int, _ count: Int) {
    bits |= UInt64(value) << UInt64(bitCount)
    bitCount += count
    while bitCount >= 8 {
      stream.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  /// Appends a code, whose first bit is the highest.
  private mutating func append(code: Int, _ count: Int) {
    for bit in stride(from: count - 1, through: 0, by: -1) { append(code >> bit & 1, 1) }
  }

  private mutating func align() { append(0, (8 - bitCount) % 8) }

  private mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func appendBlock() {
    let type = int((stores ? 0 : 1)...2)
    let size = type == 0 && int(0...4) == 0 ? int(0...65_535) : int(0...3000)
    let end = min(content.count, offset + size)
    append(type << 1, 3)
    switch type {
    case 0:
      align()
      append(end - offset, 16)
      append(end - offset ^ 0xffff, 16)
      while offset < end { appendByte() }
    case 1:
      let literals = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
      appendSymbols(upTo: end, literals, (0..<30).map { _ in 5 })
    default:
      // 226 codes of eight bits and 60 of nine, 2 of four and 28 of five: both are complete.
      let literals = ((0..<286).map { $0 < 226 ? 8 : 9 }).shuffled(using: &random)
      let distances = ((0..<30).map { $0 < 2 ? 4 : 5 }).shuffled(using: &random)
      appendLengths(literals, distances)
      appendSymbols(upTo: end, literals, distances)
    }
  }

  private mutating func appendByte() {
    append(Int(content[offset]), 8)
    offset += 1
  }

  /// Appends the lengths of codes; each of the eight that are used has a code of three bits itself.
  private mutating func appendLengths(_ literals: [Int], _ distances: [Int]) {
    let used = [0, 4, 5, 8, 9, 16, 17, 18]
    append(29, 5)
    append(29, 5)
    append(15, 4)
    for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] {
      append(used.contains(symbol) ? 3 : 0, 3)
    }
    let lengths = literals + distances
    var index = 0
    while index < lengths.count {
      let run = lengths[index...].prefix(6).prefix { index > 0 && $0 == lengths[index - 1] }.count
      if run >= 3 && int(0...1) == 0 {
        append(code: 5, 3)
        append(run - 3, 2)
        index += run
      } else {
        append(code: used.firstIndex(of: lengths[index]) ?? 0, 3)
        index += 1
      }
    }
  }

  private mutating func appendSymbols(upTo end: Int, _ literals: [Int], _ distances: [Int]) {
    let (literals, distances) = (RandomDeflate.codes(literals), RandomDeflate.codes(distances))
    while offset < end {
      let match = int(0...2) == 0 ? nil : match(upTo: end)
      if let match {
        let (length, distance) = (match.length - 3, match.distance - 1)
        let extra = match.length == 258 || length < 8 ? 0 : RandomDeflate.bits(length) - 3
        append(literals, match.length == 258 ? 285 : 257 + 4 * extra + (length >> extra))
        append(match.length == 258 ? 0 : length & (1 << extra - 1), extra)
        let further = distance < 4 ? 0 : RandomDeflate.bits(distance) - 2
        append(distances, 2 * further + (distance >> further))
        append(distance & (1 << further - 1), further)
        offset += match.length
      } else {
        append(literals, Int(content[offset]))
        offset += 1
      }
    }
    append(literals, 256)
  }

  private mutating func append(_ codes: [(code: Int, count: Int)], _ symbol: Int) {
    append(code: codes[symbol].code, codes[symbol].count)
  }

  /// The match at one of a few random distances, or at the farthest.
  private mutating func match(upTo end: Int) -> (length: Int, distance: Int)? {
    guard offset > 0 else { return nil }
    for attempt in 0..<8 {
      let distance = attempt == 0 ? min(32768, offset) : int(1...min(offset, 1 << int(1...15)))
      var length = 0
      let most = min(258, end - offset)
      while length < most && content[offset + length] == content[offset + length - distance] { length += 1 }
      if length >= 3 { return (int(0...3) == 0 ? int(3...length) : length, distance) }
    }
    return nil
  }

  private static func bits(_ value: Int) -> Int { Int.bitWidth - value.leadingZeroBitCount }

  private static func codes(_ lengths: [Int]) -> [(code: Int, count: Int)] {
    var codes = lengths.map { (code: 0, count: $0) }
    var code = 0
    for length in 1...15 {
      code <<= 1
      for symbol in lengths.indices where lengths[symbol] == length {
        codes[symbol].code = code
        code += 1
      }
    }
    return codes
  }
}
