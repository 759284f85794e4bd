import Codec
import Crypto
import PatchFormat
import Testing

/// Extents, deflate streams, and where bytes go around them; each argument is a seed.
@Suite("Streams in a block")
struct StreamFormatTests {
  private static let seeds = 1...30 as ClosedRange<UInt64>

  @Test("a chain of extents comes back, and no prefix of one does", arguments: seeds)
  func chain(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let end = max(1, random.number(bits: 48))
    let start = random.number(bits: 48)
    var bytes: [UInt8] = []
    var writer = ExtentChain(from: start)
    let extents = random.extents(20, to: end)
    for extent in extents { writer.append(extent, to: &bytes) }
    var reader = ExtentChain(from: start)
    var cursor = ByteCursor(offset: 0, end: bytes.count)
    for extent in extents {
      let begin = cursor.offset
      let before = reader
      let parsed = try reader.next(&cursor, in: bytes.span, within: 0..<end)
      #expect(parsed == extent, "seed \(seed)")
      for count in begin..<cursor.offset {
        var (chain, prefix) = (before, ByteCursor(offset: begin, end: count))
        #expect(throws: ExtentChain.ParseError.malformed) {
          _ = try chain.next(&prefix, in: bytes.span, within: 0..<end)
        }
      }
      // Bounds that leave out the first or the last byte.
      for bounds in [extent.start + 1..<max(end, extent.start + 1), 0..<extent.end - 1] {
        var (chain, again) = (before, ByteCursor(offset: begin, end: bytes.count))
        #expect(throws: ExtentChain.ParseError.outOfBounds) {
          _ = try chain.next(&again, in: bytes.span, within: bounds)
        }
      }
    }
    #expect(cursor.remaining == 0 && reader == writer)
  }

  @Test("an extent without bytes is refused")
  func emptyExtent() {
    var (chain, bytes) = (ExtentChain(), [UInt8]())
    chain.append(Extent(start: 5, size: 0), to: &bytes)
    var cursor = ByteCursor(offset: 0, end: bytes.count)
    #expect(throws: ExtentChain.ParseError.malformed) {
      var reader = ExtentChain()
      _ = try reader.next(&cursor, in: bytes.span, within: 0..<100)
    }
  }

  // MARK: - Targets

  private static let head = PatchHead(
    old: (1 << 40, Digest()), new: (1 << 40, Digest()),
    shape: .init(dictionarySize: 0, maximumPayload: 1, maximumBlock: 1, maximumContent: 4 << 20))

  private static func target(_ random: inout RandomValues, at position: UInt64) throws -> DeflateTarget {
    let parameters = try #require(
      DeflateParameters(
        level: UInt8(random.int(1...9)), windowBits: UInt8(random.int(9...15)),
        memLevel: UInt8(random.int(1...9)), strategy: .allCases[random.int(0...4)],
        wrapper: .allCases[random.int(0...2)]))
    let predictor = try #require(
      PredictorParameters(
        .allCases[random.int(0...3)], .allCases[random.int(0...2)], leastLength: random.int(3...15),
        depth: random.int(1...4096), niceLength: random.int(3...258), lazyLength: random.int(3...258),
        goodLength: random.int(3...258)))
    let guide = DeflateTarget.Encoder.guide(predictor, size: random.number(bits: 48) + 1)
    return DeflateTarget(
      random.int(0...1) == 0 ? .zlib(parameters) : guide, contentSize: UInt64(random.int(1...4 << 20)),
      destinations: random.extents(random.int(1...20), from: position, to: 1 << 40),
      source: random.int(0...1) == 0
        ? nil
        : DeflateTarget.Source(
          .allCases[random.int(0...2)], extentCount: UInt64(random.int(1...PatchLimits.maximumExtents))))
  }

  @Test("a target is parsed again, and no prefix of it is", arguments: seeds)
  func target(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let position = random.number(bits: 39)
    let target = try Self.target(&random, at: position)
    var bytes: [UInt8] = []
    target.append(to: &bytes, at: position)
    var cursor = ByteCursor(offset: 0, end: bytes.count)
    let parsed = DeflateTarget(parsing: &cursor, in: bytes.span, at: position, head: Self.head)
    #expect(parsed == target && cursor.remaining == 0, "seed \(seed)")
    for count in 0..<bytes.count {
      var prefix = ByteCursor(offset: 0, end: count)
      let parsed = DeflateTarget(parsing: &prefix, in: bytes.span, at: position, head: Self.head)
      #expect(parsed == nil, "seed \(seed), prefix of \(count)")
    }
    // What a changed byte leads to is within the limits.
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        var cursor = ByteCursor(offset: 0, end: changed.count)
        guard
          let other = DeflateTarget(parsing: &cursor, in: changed.span, at: position, head: Self.head)
        else { continue }
        #expect((1...PatchLimits.maximumFile).contains(other.contentSize) && !other.destinations.isEmpty)
        #expect(other.destinations.allSatisfy { $0.start >= position && $0.end <= 1 << 40 && $0.size > 0 })
      }
    }
  }

  @Test("the gap before a stream comes back, and no prefix of it does", arguments: seeds)
  func gap(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let gap = random.number(bits: 48)
    var bytes: [UInt8] = []
    DeflateTarget.append(gap: gap, to: &bytes)
    var cursor = ByteCursor(offset: 0, end: bytes.count)
    #expect(DeflateTarget.gap(&cursor, in: bytes.span) == gap && cursor.remaining == 0, "seed \(seed)")
    for count in bytes.indices {
      var prefix = ByteCursor(offset: 0, end: count)
      #expect(DeflateTarget.gap(&prefix, in: bytes.span) == nil, "seed \(seed)")
    }
  }

  @Test("no target with its gap and sources is larger than its bound", arguments: seeds)
  func bound(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let target = try Self.target(&random, at: 0)
    let sources = random.extents(random.int(1...20), to: 1 << 40)
    var (chain, bytes) = (ExtentChain(), [UInt8]())
    DeflateTarget.append(gap: 1 << 40, to: &bytes)
    target.append(to: &bytes, at: 0)
    for extent in sources { chain.append(extent, to: &bytes) }
    let extents = target.destinations.count + sources.count
    #expect(bytes.count <= DeflateTarget.maximumSize(extents: extents, fileSize: 1 << 40), "seed \(seed)")
  }

  @Test("a content of nothing, or larger than any file, is refused")
  func largeContent() throws {
    let parameters = try #require(DeflateParameters(level: 6, wrapper: .zlib))
    for size in [0, 1 << 48 + 1] as [UInt64] {
      var bytes: [UInt8] = []
      DeflateTarget(
        .zlib(parameters), contentSize: size, destinations: [Extent(start: 0, size: 1)], source: nil
      ).append(to: &bytes, at: 0)
      var cursor = ByteCursor(offset: 0, end: bytes.count)
      let parsed = DeflateTarget(parsing: &cursor, in: bytes.span, at: 0, head: Self.head)
      #expect(parsed == nil)
    }
  }

  // MARK: - Output position

  /// Says for each byte of a file whether a stream has it.
  private struct ByteMap {
    var isReserved: [Bool] = []
    var position = 0

    mutating func reserve(_ extent: Extent) {
      while isReserved.count < extent.end { isReserved.append(false) }
      for index in extent.start..<extent.end { isReserved[Int(index)] = true }
    }

    mutating func skip() { while position < isReserved.count && isReserved[position] { position += 1 } }

    mutating func place(_ count: Int) {
      for _ in 0..<count {
        skip()
        position += 1
      }
      skip()
    }
  }

  @Test("bytes are placed around reserved extents, at once as well as step by step", arguments: seeds)
  func position(seed: UInt64) {
    var random = RandomValues(seed: seed)
    var (writer, reader, map) = (OutputPosition(), OutputPosition(), ByteMap())
    for _ in 0..<30 {
      var free = writer.offset
      if writer.isClear {
        for extent in random.apart(random.int(1...6), from: free).shuffled() {
          let isReserved = (writer.reserve(extent), reader.reserve(extent))
          #expect(isReserved == (true, true), "seed \(seed)")
          map.reserve(extent)
          free = max(free, extent.end)
        }
        writer.placeAround(0)
        map.place(0)
      }
      let count = random.int(0...9)
      writer.placeAround(UInt64(count))
      map.place(count)
      // As an applier does it, a few bytes at a time.
      var left = UInt64(count)
      while left > 0 {
        while reader.isAtReserved { reader.skipReserved() }
        let piece = min(left, reader.room, 2)
        reader.place(piece)
        left -= piece
      }
      while reader.isAtReserved { reader.skipReserved() }
      #expect(writer.offset == UInt64(map.position) && reader.offset == writer.offset, "seed \(seed)")
      #expect(writer.reservedCount == reader.reservedCount && writer.isClear == reader.isClear)
    }
  }

  @Test("an extent before the position, or that shares a byte with another one, cannot be reserved")
  func overlaps() {
    var position = OutputPosition(10)
    let taken = [Extent(start: 20, size: 5), Extent(start: 30, size: 5)]
    for extent in taken {
      let isReserved = position.reserve(extent)
      #expect(isReserved)
    }
    for extent in [
      Extent(start: 9, size: 1), Extent(start: 0, size: 30), Extent(start: 19, size: 2),
      Extent(start: 24, size: 1), Extent(start: 24, size: 7), Extent(start: 34, size: 1),
      Extent(start: 10, size: 100),
    ] {
      let isReserved = position.reserve(extent)
      #expect(!isReserved)
    }
    for extent in [Extent(start: 10, size: 10), Extent(start: 25, size: 5), Extent(start: 35, size: 1)] {
      let isReserved = position.reserve(extent)
      #expect(isReserved)
    }
    #expect(position.reservedCount == 5 && position.isAtReserved)
    position.placeAround(1)
    #expect(position.offset == 37 && position.isClear)
  }

  @Test("no more extents can be reserved than the format allows")
  func tooMany() {
    var position = OutputPosition()
    for index in 0..<PatchLimits.maximumExtents {
      let isReserved = position.reserve(Extent(start: UInt64(2 * index + 1), size: 1))
      #expect(isReserved)
    }
    let isReserved = position.reserve(Extent(start: 1 << 20, size: 1))
    #expect(!isReserved && position.reservedCount == PatchLimits.maximumExtents && position.room == 1)
  }
}
