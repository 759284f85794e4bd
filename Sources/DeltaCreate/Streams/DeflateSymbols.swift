internal import Codec

/// What the blocks of a deflate stream are made of, whichever encoder made it.
struct DeflateSymbols {
  /// A block, and how many symbols it has.
  struct Block {
    /// What a guide has before the symbols (`Guide`).
    var header: [UInt8]
    /// The bytes of a stored block; nil of others.
    var stored: Int?
    var symbols: Range<Int>
  }

  private(set) var blocks: [Block] = []
  /// Lengths in the high, distances in the low half; 0 for a literal.
  private(set) var symbols: [UInt32] = []
  /// What the stream inflates to, in bytes.
  private(set) var contentSize = 0

  /// Reads a stream without a wrapper; nil if it is damaged, or longer than these bytes.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var bits = BitReader(bytes)
    var isLast = false
    while !isLast {
      guard let final = bits.read(1), let type = bits.read(2) else { return nil }
      isLast = final == 1
      guard read(UInt8(final | type << 1), &bits) else { return nil }
    }
    guard bits.isAtEnd else { return nil }
  }

  private mutating func read(_ header: UInt8, _ bits: inout BitReader) -> Bool {
    let first = symbols.count
    var block = Block(header: [header], stored: nil, symbols: first..<first)
    switch header >> 1 {
    case 0:
      guard bits.align(), let size = bits.read(16), let complement = bits.read(16),
        size ^ complement == 0xffff,
        bits.skip(bytes: size)
      else { return false }
      block.header += [UInt8(size & 0xff), UInt8(size >> 8)]
      block.stored = size
      contentSize += size
    case 1:
      let fixed = Deflate.fixedLengths
      let lengths = (0..<fixed.count).map { fixed[$0] }
      let literals = HuffmanDecoder(Array(lengths[..<Deflate.maximumSymbols.literals]))
      let distances = HuffmanDecoder(Array(lengths[Deflate.maximumSymbols.literals...]))
      guard readSymbols(literals, distances, &bits) else { return false }
    case 2:
      guard let codes = DynamicCodes(&bits) else { return false }
      block.header += codes.header
      guard readSymbols(codes.literals, codes.distances, &bits) else { return false }
    default: return false
    }
    block.symbols = first..<symbols.count
    blocks.append(block)
    return true
  }

  private mutating func readSymbols(
    _ literals: HuffmanDecoder, _ distances: HuffmanDecoder, _ bits: inout BitReader
  ) -> Bool {
    while true {
      guard let symbol = literals.symbol(&bits) else { return false }
      if symbol == Deflate.endOfBlock { return true }
      if symbol < Deflate.endOfBlock {
        symbols.append(0)
        contentSize += 1
        continue
      }
      guard symbol <= 285, let length = DeflateSymbols.value(symbol - 257, perPower: 4, &bits),
        let code = distances.symbol(&bits), code < 30,
        let distance = DeflateSymbols.value(code, perPower: 2, &bits), distance < contentSize
      else { return false }
      // The longest match has a symbol of its own.
      let count = symbol == 285 ? 258 : length + 3
      symbols.append(UInt32(count) << 16 | UInt32(distance))
      contentSize += count
    }
  }

  /// The value of a symbol: there are that many for each power of two.
  private static func value(_ symbol: Int, perPower: Int, _ bits: inout BitReader) -> Int? {
    guard symbol >= 2 * perPower, symbol != 28 || perPower == 2 else { return symbol }
    let extra = symbol / perPower - 1
    guard let low = bits.read(extra) else { return nil }
    return (perPower + symbol % perPower) << extra + low
  }
}

extension DeflateSymbols {
  /// A symbol as a match; nil for a literal.
  static func match(_ symbol: UInt32) -> DeflateMatch? {
    symbol == 0 ? nil : DeflateMatch(length: Int(symbol >> 16), distance: Int(symbol & 0xffff) + 1)
  }
}

/// The codes of a dynamic block (RFC 1951, 3.2.7).
private struct DynamicCodes {
  /// As a guide has them.
  var header: [UInt8]
  let literals: HuffmanDecoder
  let distances: HuffmanDecoder

  init?(_ bits: inout BitReader) {
    guard let literalCount = bits.read(5), let distanceCount = bits.read(5), let codeCount = bits.read(4)
    else {
      return nil
    }
    header = [UInt8(literalCount), UInt8(distanceCount), UInt8(codeCount)]
    var codeLengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<codeCount + 4 {
      guard let length = bits.read(3) else { return nil }
      header.append(UInt8(length))
      codeLengths[Int(Deflate.lengthOrder[index])] = UInt8(length)
    }
    let codes = HuffmanDecoder(codeLengths)
    let count = literalCount + 257 + distanceCount + 1
    var lengths: [UInt8] = []
    while lengths.count < count {
      guard let symbol = codes.symbol(&bits) else { return nil }
      if symbol < 16 {
        header.append(UInt8(symbol))
        lengths.append(UInt8(symbol))
        continue
      }
      guard let extra = bits.read([2, 3, 7][symbol - 16]), symbol > 16 || !lengths.isEmpty else { return nil }
      let first = [Guide.Repeat.last, Guide.Repeat.zeros, Guide.Repeat.manyZeros][symbol - 16]
      header.append(UInt8(first + extra))
      let repeated = symbol == 16 ? lengths[lengths.count - 1] : 0
      lengths += [UInt8](repeating: repeated, count: extra + (symbol == 18 ? 11 : 3))
    }
    guard lengths.count == count else { return nil }
    literals = HuffmanDecoder(Array(lengths[..<(literalCount + 257)]))
    distances = HuffmanDecoder(Array(lengths[(literalCount + 257)...]))
  }
}

/// Reads the symbols of a canonical Huffman code bit by bit.
private struct HuffmanDecoder {
  /// How many symbols have codes of each length, and the symbols in the order of their codes.
  private var counts = [Int](repeating: 0, count: 16)
  private var symbols: [Int] = []

  init(_ lengths: [UInt8]) {
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    for length in 1...15 {
      for symbol in lengths.indices where lengths[symbol] == length { symbols.append(symbol) }
    }
  }

  func symbol(_ bits: inout BitReader) -> Int? {
    var code = 0
    var first = 0
    var index = 0
    for length in 1...15 {
      guard let bit = bits.read(1) else { return nil }
      code |= bit
      let count = counts[length]
      if code - count < first {
        let place = index + code - first
        return place < symbols.count ? symbols[place] : nil
      }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return nil
  }
}

/// Reads bits, the lowest of each byte first.
private struct BitReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var bit = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Whether only bits that fill the last byte are left, all zero.
  var isAtEnd: Bool {
    bit == 0 ? offset == bytes.count : offset == bytes.count - 1 && bytes[offset] >> UInt8(bit) == 0
  }

  mutating func read(_ count: Int) -> Int? {
    var value = 0
    for index in 0..<count {
      guard offset < bytes.count else { return nil }
      value |= Int(bytes[offset] >> UInt8(bit) & 1) << index
      bit += 1
      if bit == 8 {
        bit = 0
        offset += 1
      }
    }
    return value
  }

  /// Skips to the next byte; false if the bits before it are not zeros.
  mutating func align() -> Bool {
    guard bit > 0 else { return true }
    return read(8 - bit) == 0
  }

  mutating func skip(bytes count: Int) -> Bool {
    guard count <= bytes.count - offset else { return false }
    offset += count
    return true
  }
}
