import Codec
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("StreamPairs")
struct StreamPairsTests {
  private func file(_ contents: [[UInt8]]) throws -> [UInt8] {
    let parameters = try #require(DeflateParameters(level: 6, wrapper: .zlib))
    return try contents.flatMap { try deflated($0, parameters) }
  }

  private func pairs(_ old: [[UInt8]], _ new: [[UInt8]]) throws -> [Int?] {
    let oldFile = try file(old)
    let newFile = try file(new)
    return try oldFile.withUnsafeBufferPointer { oldBytes in
      try newFile.withUnsafeBufferPointer { newBytes in
        let oldStreams = try DeflateFinder.search(oldBytes, for: .source).streams
        let newStreams = try DeflateFinder.search(newBytes, for: .source).streams
        #expect(oldStreams.count == old.count && newStreams.count == new.count)
        return try StreamPairs.pairs(old: oldStreams, in: oldBytes, new: newStreams, in: newBytes)
      }
    }
  }

  /// Contents with a common prefix.
  private func contents(_ random: inout SeededGenerator, count: Int) -> [[UInt8]] {
    let common = random.bytes(300, values: 20)
    return (0..<count).map { _ in
      common + random.bytes(Int.random(in: 200...5000, using: &random), values: 20)
    }
  }

  @Test("contents that were edited and moved find what they came from")
  func moved() throws {
    var random = SeededGenerator(31)
    let old = contents(&random, count: 200)
    let order = old.indices.shuffled(using: &random)
    let new = order.map { number in
      var content = old[number]
      let offset = Int.random(in: 0..<content.count, using: &random)
      content.insert(contentsOf: random.bytes(9, values: 20), at: offset)
      for _ in 0..<content.count / 200 { content[Int.random(in: 0..<content.count, using: &random)] ^= 1 }
      return content
    }
    let found = try pairs(old, new)
    let right = zip(found, order).filter { $0 == $1 }.count
    #expect(right >= 198)
  }

  @Test("equal contents are paired in their order")
  func equal() throws {
    var random = SeededGenerator(32)
    let some = contents(&random, count: 5)
    let old = some + some + some
    #expect(try pairs(old, old) == Array(0..<15))
  }

  @Test("contents that resemble nothing follow in sequence")
  func unrelated() throws {
    var random = SeededGenerator(33)
    let old = (0..<10).map { _ in random.bytes(1000) }
    let new = [
      old[4], random.bytes(1000), random.bytes(1000), old[1], random.bytes(1000), old[9], random.bytes(99),
    ]
    #expect(try pairs(old, new) == [4, 5, 6, 1, 2, 9, 9])
  }

  @Test("without old streams there are no pairs")
  func noOld() throws {
    var random = SeededGenerator(34)
    #expect(try pairs([], [random.bytes(100)]) == [nil])
    #expect(try pairs([random.bytes(100)], []) == [])
  }
}
