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
        guard let choice = CopyChoice(old: old, new: new, among: found, lines: []) else { return [] }
        let operations = choice.operations(costs, literals: LiteralCosts(new), in: choice.pieces)
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

  @Test("a copy continues to the next one where its differences cost less than literals")
  func continued() {
    var random = SeededGenerator(5)
    let old = random.bytes(3000)
    var new = old
    for index in 500..<2500 { new[index] &+= 1 }
    let found = [[Copy(new: 0, old: 0, length: 500), Copy(new: 2500, old: 2500, length: 500)]]
    var costs = Self.costs[0]
    #expect(chosen(old, new: new, among: found, costs: costs).map(\.length) == [3000])
    costs.differences = DifferenceCosts([UInt8](repeating: 7, count: 5000) + [1], size: 5000)
    #expect(chosen(old, new: new, among: found, costs: costs).map(\.length) == [500, 500])
  }

  @Test("fewer equal bytes than a pause cost as differences of 0, and begin no run")
  func pauses() {
    let old = [UInt8](repeating: 5, count: 400)
    var new = old
    for index in stride(from: 8, to: 400, by: 8) { new[index] = 6 }
    func cost(_ pause: Int) -> Int {
      var costs = Self.costs[0]
      costs.shortestPause = pause
      return old.withUnsafeBufferPointer { old in
        new.withUnsafeBufferPointer { new in
          let all = [[Copy(new: 0, old: 0, length: 400)]]
          guard let choice = CopyChoice(old: old, new: new, among: all, lines: []) else { return 0 }
          var copy = OpenCopy(
            AlignedRange(range: 0..<400, alignment: .forward(.old, shift: 0)), upTo: 400, in: choice)
          copy.cost = 0
          copy.findDifferent(from: 0, in: choice)
          for _ in 0..<49 { copy.passDifferent(costs, in: choice) }
          return copy.cost
        }
      }
    }
    let (difference, run) = (48, 64)
    #expect(cost(7) == 49 * (difference + run))
    #expect(cost(8) == 49 * difference + run + 48 * 7 * difference)
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
  func pieces(seed: UInt64) throws {
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
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let unchanged = UnchangedRanges(copies, old: old, new: new)
        #expect(unchanged.all.count == 4)
        let whole = try #require(CopyChoice(old: old, new: new, among: [copies], lines: []))
        let divided = try #require(
          CopyChoice(old: old, new: new, among: [copies], lines: [], unchanged: unchanged))
        #expect(divided.pieces.count > 1)
        for costs in Self.costs {
          let expected = whole.operations(costs, literals: LiteralCosts(new), in: whole.pieces)
          #expect(expected.count == 7)
          for processors in [Processors.none, Processors(3)] {
            let operations = divided.operations(
              costs, literals: LiteralCosts(new), in: divided.pieces, processors: processors)
            #expect(operations == expected)
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

  @Test("a copy that is given up where the file is another one is taken up again after it")
  func givenUp() {
    var random = SeededGenerator(4)
    let (front, back) = (random.bytes(400), random.bytes(400))
    // Literals of few values cost less than differences.
    let between = (0..<300).map { _ in UInt8.random(in: 0...1, using: &random) }
    let (old, new) = (front + random.bytes(300) + back, front + between + back)
    #expect(
      chosen(old, new: new, among: [[Copy(new: 0, old: 0, length: 1100)]])
        == [Copy(new: 0, old: 0, length: 400), Copy(new: 700, old: 700, length: 400)])
  }

  @Test("what is chosen costs hardly more than the cheapest of all choices", arguments: 0..<20)
  func cheapest(seed: UInt64) {
    var random = SeededGenerator(seed)
    // Parts of the old file, some with changed bytes, and bytes of their own.
    let old = (0..<4000).map { _ in UInt8.random(in: 0...15, using: &random) }
    var new: [UInt8] = []
    var copies: [Copy] = []
    while new.count < 3000 {
      let length = Int.random(in: 20...300, using: &random)
      let start = Int.random(in: 0...old.count - length, using: &random)
      copies.append(Copy(new: new.count, old: start, length: length))
      let often = Int.random(in: 2...40, using: &random)
      new += old[start..<start + length].map { Int.random(in: 0..<often, using: &random) == 0 ? $0 ^ 1 : $0 }
      new += (0..<Int.random(in: 0...60, using: &random)).map { _ in UInt8.random(in: 0...15, using: &random)
      }
    }
    // And copies that are found by chance.
    for _ in 0..<20 {
      let start = Int.random(in: 0...2700, using: &random)
      copies.append(Copy(new: start, old: Int.random(in: 0...3700, using: &random), length: 300))
    }
    // Where a copy begins costs nothing, so that what is cheapest does not depend on the copy before.
    func check(_ costs: PatchMaker.CopyCosts, within part: Int) {
      let path = CheapestPath(old, new, costs)
      let cost = path.cost(of: chosen(old, new: new, among: [copies], costs: costs))
      let least = path.cost(among: copies)
      #expect(cost >= least && cost - least <= least / part, "\(cost), \(least)")
    }
    for some in Self.costs {
      var costs = PatchMaker.CopyCosts(
        literal: some.literal, difference: some.differences[0], run: some.run, operation: some.operation,
        delta: 0)
      check(costs, within: 200)
      // Differences of 1 are frequent, and so cheaper than others; copies begin only where four bytes are equal.
      let frequent = [UInt8](repeating: 1, count: 300) + [UInt8](repeating: 255, count: 300)
      costs.differences = DifferenceCosts(frequent + (0...255), size: 500)
      check(costs, within: 100)
    }
  }

  @Test("the next beginning is the first one with four equal bytes", arguments: 0..<5)
  func nextBeginning(seed: UInt64) {
    var random = SeededGenerator(seed)
    let count = 100
    let old = (0..<count).map { _ in UInt8.random(in: 0...2, using: &random) }
    let new = (0..<count).map { _ in UInt8.random(in: 0...2, using: &random) }
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        let all = [[Copy(new: 0, old: 0, length: count)]]
        guard let choice = CopyChoice(old: old, new: new, among: all, lines: []) else { return }
        for end in 0...count {
          let range = AlignedRange(range: 0..<end, alignment: .forward(.old, shift: 0))
          let copy = OpenCopy(range, upTo: count, in: choice)
          let expected = (0...end).map { offset in
            (offset..<max(offset, end - 3)).first { old[$0..<$0 + 4].elementsEqual(new[$0..<$0 + 4]) }
          }
          #expect((0...end).map { copy.nextBeginning(from: $0, in: choice) } == expected)
        }
      }
    }
  }

  @Test("nothing comes of empty files or of no copies")
  func nothing() {
    #expect(chosen([], new: [1], among: []).isEmpty)
    #expect(chosen([1], new: [], among: []).isEmpty)
    #expect(chosen([1, 2, 3], new: [1, 2, 3], among: [[]]).isEmpty)
  }
}

/// The cheapest path through a new file, found byte by byte.
private struct CheapestPath {
  private let old: [UInt8]
  private let new: [UInt8]
  private let costs: PatchMaker.CopyCosts
  private let literals: LiteralCosts

  init(_ old: [UInt8], _ new: [UInt8], _ costs: PatchMaker.CopyCosts) {
    self.old = old
    self.new = new
    self.costs = costs
    literals = new.withUnsafeBufferPointer { LiteralCosts($0) }
  }

  /// In 64ths, as all costs here.
  private func literal(_ offset: Int) -> Int { literals.sum(offset..<offset + 1) * costs.literal }

  private func difference(_ shift: Int, _ offset: Int) -> Int {
    guard old[offset + shift] != new[offset] else { return 0 }
    let isFirst = offset == 0 || offset + shift == 0 || old[offset - 1 + shift] == new[offset - 1]
    return 64 * (costs.differences[new[offset] &- old[offset + shift]] + (isFirst ? costs.run : 0))
  }

  /// What the new file costs with these copies.
  func cost(of copies: [Copy]) -> Int {
    var sum = 0
    var end = 0
    for copy in copies + [Copy(new: new.count, old: 0, length: 0)] {
      for offset in end..<copy.new { sum += literal(offset) }
      end = copy.new + copy.length
      if copy.length > 0 { sum += 64 * costs.operation }
      for offset in copy.new..<end { sum += difference(copy.old - copy.new, offset) }
    }
    return sum
  }

  /// What it costs with the best choice among copies, each up to the next ones and at least up to 64 bytes beyond its ends.
  func cost(among copies: [Copy]) -> Int {
    var cost = 0
    var open: [Int: (range: Range<Int>, cost: Int)] = [:]
    for offset in new.indices {
      for (index, copy) in copies.enumerated() {
        let shift = copy.shift
        let before = index > 0 ? copies[index - 1].end : 0
        let after = index + 1 < copies.count ? copies[index + 1].new : new.count
        let end = min(max(after, copy.end + 64), new.count, old.count - shift)
        let range = max(0, min(before, copy.new - 64), -shift)..<end
        guard range.contains(offset) else { continue }
        open[shift] = (range, min(open[shift]?.cost ?? .max, cost + 64 * costs.operation))
      }
      cost += literal(offset)
      for (shift, path) in open {
        guard path.range.contains(offset) else { continue }
        open[shift]?.cost += difference(shift, offset)
      }
      for path in open.values where path.range.contains(offset) { cost = min(cost, path.cost) }
      open = open.filter { $0.value.range.upperBound > offset + 1 }
    }
    return cost
  }
}
