import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Costs of literals")
struct LiteralCostsTests {
  private static func costs(_ bytes: [UInt8], learningFrom operations: [ScriptOperation]? = nil)
    -> LiteralCosts
  {
    bytes.withUnsafeBufferPointer { bytes in
      var costs = LiteralCosts(bytes)
      if let operations { costs.learn(from: operations, of: bytes) }
      return costs
    }
  }

  @Test("noise costs all of its bits, and text that was a literal before next to nothing")
  func learned() {
    var random = SeededGenerator(1)
    let noise = random.bytes(4000)
    let text = (0..<100).flatMap { "line \($0) of a table of names\n".utf8 }
    let costs = Self.costs(noise + text + text, learningFrom: [])
    #expect(costs.sum(0..<4000) > 4000 * 60)
    let again = costs.sum(4000 + text.count..<4000 + 2 * text.count)
    #expect(again < text.count * 8, "\(again) for \(text.count) bytes")
    #expect(again * 2 < costs.sum(4000..<4000 + text.count))
  }

  @Test("nothing is learned from bytes that are copied")
  func copied() {
    let text = (0..<100).flatMap { "line \($0) of a table of names\n".utf8 }
    let copy = ScriptOperation(operation: .copyOld, new: 0, source: 0, length: text.count)
    let after = text.count..<2 * text.count
    let unknown = Self.costs(text + text, learningFrom: [copy]).sum(after)
    // Only the byte before the first one differs.
    let first = Self.costs(text, learningFrom: []).sum(0..<text.count)
    #expect(abs(unknown - first) * 20 < first, "\(unknown) instead of \(first)")
  }

  @Test("what is unchanged keeps its costs, and nothing is learned from it")
  func unchanged() {
    var random = SeededGenerator(2)
    let text = (0..<100).flatMap { "line \($0) of a table of names\n".utf8 }
    let bytes = text + random.bytes(3000) + text
    let copy = Copy(new: 0, old: 0, length: text.count)
    bytes.withUnsafeBufferPointer { bytes in
      let ranges = UnchangedRanges([copy], old: bytes, new: bytes)
      #expect(ranges.all == [512..<text.count - 512])
      var costs = LiteralCosts(bytes)
      let before = costs.sum(ranges.all[0])
      costs.learn(from: [], of: bytes, without: ranges)
      #expect(costs.sum(ranges.all[0]) == before)
      let again = text.count + 3000..<bytes.count
      let all = Self.costs(Array(bytes), learningFrom: []).sum(again)
      #expect(costs.sum(again) > all, "\(costs.sum(again)) and \(all)")
    }
  }

  @Test("the bytes of a range can be given another cost")
  func replaced() {
    var costs = Self.costs([UInt8](repeating: 1, count: 30))
    costs.set(8..<16, to: 9)
    #expect(costs.sum(8..<16) == 8 * 9 && costs.sum(0..<8) == 8 * 32 && costs.sum(16..<17) == 32)
  }
}
