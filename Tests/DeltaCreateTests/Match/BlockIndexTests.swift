import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("BlockIndex")
struct BlockIndexTests {
  @Test("blocks are found again with any memory, none and without limit", arguments: [0, 1 << 20, .max])
  func memory(_ memory: Int) throws {
    var random = SeededGenerator(21)
    let text = (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    try text.withUnsafeBufferPointer { text in
      let index = try BlockIndex(text, memory: memory)
      let base = try #require(text.baseAddress)
      let start = 8 * index.step
      #expect(index.longestMatch(of: base + start, count: 1000) == Match(old: start, length: 1000))
    }
  }
}
