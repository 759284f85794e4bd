import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("The choice of copies")
struct CopyChoiceTests {
  private static let costs: [PatchMaker.CopyCosts] = [
    PatchMaker.Options().costs, .init(literal: 48, difference: 40, run: 48, operation: 256, delta: 64),
    .init(literal: 32, difference: 24, run: 32, operation: 192, delta: 48),
  ]

  private func chosen(
    _ old: [UInt8], new: [UInt8], among found: [[Copy]], costs: PatchMaker.CopyCosts = Self.costs[0]
  ) -> [Copy] {
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        let choice = CopyChoice(old: old, new: new, among: found, lines: [])
        let operations = choice?.operations(costs, literals: LiteralCosts(new)) ?? []
        return operations.map { Copy(new: $0.new, old: $0.source, length: $0.length) }
      }
    }
  }

  @Test("of two copies of the same bytes the one with fewer differences is chosen")
  func fewerDifferences() {
    var random = SeededGenerator(1)
    let part = random.bytes(1000)
    var worse = part
    for index in stride(from: 10, to: 1000, by: 20) { worse[index] ^= 1 }
    let found = [[Copy(new: 0, old: 0, length: 1000)], [Copy(new: 0, old: 1000, length: 1000)]]
    #expect(chosen(worse + part, new: part, among: found) == [Copy(new: 0, old: 1000, length: 1000)])
    #expect(chosen(part + worse, new: part, among: found) == [Copy(new: 0, old: 0, length: 1000)])
  }

  @Test("one copy ends where another one gets better")
  func cut() {
    var random = SeededGenerator(2)
    let (front, back, other) = (random.bytes(400), random.bytes(400), random.bytes(400))
    // The first copy was extended too far, and the second begins too late.
    let found = [[Copy(new: 0, old: 0, length: 440), Copy(new: 440, old: 1240, length: 360)]]
    #expect(
      chosen(front + other + other + back, new: front + back, among: found)
        == [Copy(new: 0, old: 0, length: 400), Copy(new: 400, old: 1200, length: 400)])
  }

  @Test("a few bytes from far away are not worth a copy")
  func notWorthIt() {
    var random = SeededGenerator(3)
    let old = random.bytes(300_000)
    let new = Array(old[0..<500] + old[250_000..<250_005] + old[505..<1000])
    let found = [
      [
        Copy(new: 0, old: 0, length: 500), Copy(new: 500, old: 250_000, length: 5),
        Copy(new: 505, old: 505, length: 495),
      ]
    ]
    #expect(chosen(old, new: new, among: found) == [Copy(new: 0, old: 0, length: 1000)])
  }

  @Test("where the file is unchanged, it is divided, and the choice stays the same", arguments: 0..<4)
  func pieces(seed: UInt64) {
    var random = SeededGenerator(seed)
    let same = (0..<4).map { _ in random.bytes(700_000) }
    // Between the same parts, some that differ a little, and come from elsewhere.
    let others = (0..<3).map { _ in random.bytes(5000) }
    var old: [UInt8] = []
    var new: [UInt8] = []
    var copies: [Copy] = []
    for (index, part) in same.enumerated() {
      copies.append(Copy(new: new.count, old: old.count, length: part.count))
      old += part
      new += part
      guard index < others.count else { break }
      var changed = others[index]
      for offset in stride(from: 100, to: 5000, by: 300) { changed[offset] ^= 1 }
      copies.append(Copy(new: new.count, old: 4 * 700_000 + 5000 * index, length: 5000))
      new += changed
    }
    old += others.joined()
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        let unchanged = UnchangedRanges(copies, old: old, new: new)
        #expect(unchanged.all.count == 4)
        let whole = CopyChoice(old: old, new: new, among: [copies], lines: [])
        let divided = CopyChoice(old: old, new: new, among: [copies], lines: [], unchanged: unchanged)
        for costs in Self.costs {
          let expected = whole?.operations(costs, literals: LiteralCosts(new))
          #expect(expected?.count == 7)
          for processors in [Processors.none, Processors(3)] {
            #expect(
              divided?.operations(costs, literals: LiteralCosts(new), processors: processors) == expected)
          }
        }
      }
    }
  }

  @Test("whatever was found, the choice is in order and within both files", arguments: 0..<40)
  func bounds(seed: UInt64) {
    var random = SeededGenerator(seed)
    // Few values, so that much is alike.
    let old = (0..<4000).map { _ in UInt8.random(in: 0...1, using: &random) }
    let new = (0..<3000).map { _ in UInt8.random(in: 0...1, using: &random) }
    let found = (0..<3).map { _ in
      (0..<200).map { _ in
        let length = Int.random(in: 1...300, using: &random)
        return Copy(
          new: Int.random(in: 0...new.count - length, using: &random),
          old: Int.random(in: 0...old.count - length, using: &random), length: length)
      }
    }
    for costs in Self.costs {
      var end = 0
      for copy in chosen(old, new: new, among: found, costs: costs) {
        #expect(copy.new >= end && copy.length > 0 && copy.old >= 0)
        #expect(copy.old + copy.length <= old.count)
        end = copy.new + copy.length
      }
      #expect(end <= new.count)
    }
  }

  @Test("nothing comes of empty files or of no copies")
  func nothing() {
    #expect(chosen([], new: [1], among: []).isEmpty)
    #expect(chosen([1], new: [], among: []).isEmpty)
    #expect(chosen([1, 2, 3], new: [1, 2, 3], among: [[]]).isEmpty)
  }
}
