import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import Codec
@testable import DeltaCreate

@Suite("Sorted sections")
struct SortedSectionTests {
  /// Bytes with a name, which is what the log of a test run shows of them.
  struct Sample: Sendable, CustomStringConvertible {
    let description: String
    let bytes: [UInt8]
  }

  private static let samples: [Sample] = {
    var random = SeededGenerator(77)
    let words = (0..<300).map { _ in random.bytes(Int.random(in: 2...9, using: &random)) }
    let text = (0..<30_000).flatMap { _ in words[Int.random(in: 0..<300, using: &random)] }
    return [
      Sample(description: "one byte", bytes: [1]), Sample(description: "two", bytes: [2, 1]),
      Sample(description: "a repeated word", bytes: Array("abcabcabcabc".utf8)),
      Sample(description: "zeros", bytes: [UInt8](repeating: 0, count: 100_000)),
      Sample(description: "a chunk of zeros", bytes: [UInt8](repeating: 0, count: BWTDecoder.maximumChunk)),
      Sample(
        description: "a chunk and a byte", bytes: [UInt8](repeating: 9, count: BWTDecoder.maximumChunk + 1)),
      Sample(description: "random bytes", bytes: random.bytes(70_000)),
      Sample(description: "five values", bytes: random.bytes(200_000, values: 5)),
      Sample(description: "words in three chunks", bytes: Array(text.prefix(600_000))),
    ]
  }()

  /// Decodes in pieces of the given sizes; what came out, and how many bytes went in.
  private func decode(
    _ packed: [UInt8], with decoder: inout BWTDecoder, input: Int, output: Int
  ) throws(CodecError) -> (bytes: [UInt8], taken: Int) {
    var result: [UInt8] = []
    var taken = 0
    var room = [UInt8](repeating: 0, count: output)
    while !decoder.isFinished {
      var span = room.mutableSpan
      var space = span.mutableBytes
      let piece = packed.span.bytes.extracting(taken..<min(taken + input, packed.count))
      let counts = try decoder.decode(piece, into: &space)
      taken += counts.read
      result += room[..<counts.written]
      if counts.read == 0 && counts.written == 0 { throw .truncated }
    }
    return (result, taken)
  }

  @Test("one decoder decodes sections one after another, whatever the pieces that come and go")
  func roundTrips() throws {
    var decoder = BWTDecoder()
    for sample in Self.samples {
      let packed = try #require(SortedSection.compress(sample.bytes, below: .max))
      for (input, output) in [(packed.count, sample.bytes.count), (1, 777), (4099, 1)] {
        decoder.reset()
        let (bytes, taken) = try decode(packed, with: &decoder, input: input, output: output)
        #expect(bytes == sample.bytes, "\(sample)")
        #expect(taken == packed.count, "\(sample)")
      }
    }
  }

  @Test("equal bytes hardly take anything, random ones hardly more than themselves, and a limit is kept")
  func sizes() throws {
    let zeros = try #require(SortedSection.compress([UInt8](repeating: 0, count: 200_000), below: .max))
    #expect(zeros.count < 64)
    var random = SeededGenerator(5)
    let random100 = try #require(SortedSection.compress(random.bytes(100_000), below: .max))
    #expect(random100.count < 101_000)
    #expect(SortedSection.compress(random.bytes(100_000), below: 90_000) == nil)
  }

  @Test("the estimate is near the size, and of two sections it tells the smaller one")
  func estimates() throws {
    for sample in Self.samples {
      let size = try #require(SortedSection.compress(sample.bytes, below: .max)).count
      let estimate = SortedSection.estimate(sample.bytes)
      #expect(estimate <= size + size / 20 + 8 && estimate >= size - size / 50 - 8, "\(sample)")
    }
    var random = SeededGenerator(12)
    let five = SortedSection.estimate(random.bytes(200_000, values: 5))
    #expect(five < SortedSection.estimate(random.bytes(200_000, values: 6)))
  }

  @Test("what is similar rather than equal is sorted, without a dictionary, and the patch makes it")
  func chosen() throws {
    var random = SeededGenerator(3)
    // What follows two bytes is one of three.
    let following = (0..<900).map { _ in random.bytes(3, values: 30) }
    var new: [UInt8] = [0, 0]
    for _ in 0..<50_000 {
      let next = following[Int(new[new.count - 2]) * 30 + Int(new[new.count - 1])]
      new.append(next[Int(random.next() % 3)])
    }
    let old = Array(new[10_000..<12_000])
    let patch = try PatchMaker().make(old: old.span, new: new.span)
    #expect(patch.head.shape.hasSortedSections && patch.head.shape.dictionarySize == 0)
    var applier = MemoryApplier(old: old)
    #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == new)
    let noise = random.bytes(50_000)
    let other = try PatchMaker().make(old: old.span, new: noise.span)
    #expect(!other.head.shape.hasSortedSections)
  }

  @Test("whatever bytes come, decoding ends, and a section that was changed does not pass unnoticed")
  func damaged() throws {
    var random = SeededGenerator(9)
    let bytes = random.bytes(300, values: 20)
    let packed = try #require(SortedSection.compress(bytes, below: .max))
    var decoder = BWTDecoder()
    var refused = 0
    for index in packed.indices {
      for bit in 0..<8 {
        var damaged = packed
        damaged[index] ^= 1 << bit
        decoder.reset()
        do throws(CodecError) {
          let result = try decode(damaged, with: &decoder, input: 50, output: 50)
          #expect(result.bytes != bytes || result.taken != packed.count, "byte \(index), bit \(bit)")
        } catch {
          #expect(error == .corrupt || error == .truncated)
          refused += 1
        }
      }
    }
    // Nearly always the coder does not end where the encoder did.
    #expect(refused > packed.count * 7)
  }

  @Test("sizes and rows out of bounds are refused")
  func bounds() throws {
    for header: [UInt8] in [
      [0x81, 0x80, 0x0e, 1],  // a byte more than a chunk may have
      [0x80, 0x80, 0x80, 0x10],  // more bytes than the largest number
      [0x80, 0x00], [0x05, 0x85, 0x00],  // not in the shortest form
      [0x05, 0x00], [0x05, 0x06],  // rows 1 to 5
    ] {
      var decoder = BWTDecoder()
      #expect(throws: CodecError.corrupt) {
        _ = try decode(header + [0, 0, 0, 0, 0], with: &decoder, input: 100, output: 100)
      }
    }
  }

  @Test("the memory of a decoder is that of the largest chunk and the tables")
  func memory() {
    #expect(BWTDecoder.memoryNeeded == 4 * 229_377 + SymbolModel.memoryNeeded + 2048)
    #expect(SymbolModel.memoryNeeded == 2 * (65_536 + 512 + 8704 + 4096))
  }
}
