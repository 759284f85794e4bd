import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Sorting suffixes")
struct SuffixSorterTests {
  /// The numbers of suffixes in order, by comparing all of their bytes.
  private static func compared(_ text: [UInt8], step: Int) -> [Int32] {
    let count = (text.count + step - 1) / step
    return (0..<count).sorted {
      text[($0 * step)...].lexicographicallyPrecedes(text[($1 * step)...])
    }.map(Int32.init)
  }

  private static func sorted(_ text: [UInt8], step: Int) -> [Int32] {
    text.withUnsafeBufferPointer { text in
      let suffixes = SuffixSorter.sort(text, step: step)
      defer { suffixes.deallocate() }
      return Array(UnsafeBufferPointer(start: suffixes, count: (text.count + step - 1) / step))
    }
  }

  private static var texts: [[UInt8]] {
    var random = SeededGenerator(5)
    let some = (0..<600).map { _ in UInt8.random(in: 0...255, using: &random) }
    return [
      [], [7], [0, 0], [0, 0, 0, 0, 0], [1, 0, 0, 0], [255, 0, 255],
      [UInt8](repeating: 0, count: 1000), [UInt8](repeating: 255, count: 777),
      (0..<700).map { UInt8($0 % 3) }, (0..<701).map { UInt8($0 % 256) }, some,
      some + some + some.prefix(101),
      (0..<900).map { _ in UInt8.random(in: 0...1, using: &random) },
      [UInt8](repeating: 0, count: 300) + some + [UInt8](repeating: 0, count: 302),
    ]
  }

  @Test("suffixes are in the order of their bytes, whatever the text", arguments: [1, 2, 4])
  func order(step: Int) {
    for text in Self.texts {
      #expect(Self.sorted(text, step: step) == Self.compared(text, step: step), "\(text.count) bytes")
    }
  }

  @Test("what repeats beyond the bytes that are compared is sorted by ranks", arguments: [1, 2, 4])
  func repetitions(step: Int) {
    var random = SeededGenerator(8)
    let part = random.bytes(900)
    var text: [UInt8] = []
    while text.count < 40_000 {
      // Repetitions of 64 bytes and more, and none.
      let start = Int.random(in: 0..<800, using: &random)
      text += part[start..<min(900, start + Int.random(in: 1...400, using: &random))]
      text += random.bytes(Int.random(in: 0...40, using: &random))
    }
    #expect(Self.sorted(text, step: step) == Self.compared(text, step: step))
  }

  @Test("sorted by their first bytes only, suffixes that are equal that far stay in the order of the text")
  func contexts() {
    for text in Self.texts + [Array("abracadabra abracadabra".utf8)] {
      let sorted = text.withUnsafeBufferPointer { text in
        let suffixes = ContextSorter.sort(text)
        defer { suffixes.deallocate() }
        return Array(UnsafeBufferPointer(start: suffixes, count: text.count))
      }
      let padded = text + [UInt8](repeating: 0, count: Tuning.ContextSorter.depth)
      let fronts = text.indices.map { padded[$0..<$0 + Tuning.ContextSorter.depth] }
      let compared = text.indices.sorted {
        fronts[$0].elementsEqual(fronts[$1]) ? $0 < $1 : fronts[$0].lexicographicallyPrecedes(fronts[$1])
      }
      #expect(sorted.map(Int.init) == compared, "\(text.count) bytes")
    }
  }

  @Test("a text made against its pivots takes hardly longer to sort than others")
  func killer() {
    var adversary = Adversary(count: 6000)
    adversary.sort(0, 6000)
    let text = adversary.values.flatMap { value in (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xff) } }
    text.withUnsafeBufferPointer { text in
      let sorter = SuffixSorter(text, step: 4)
      defer { sorter.suffixes.deallocate() }
      // Without the fallback, each partition removes a few suffixes: that would be hundreds of comparisons for each.
      let comparisons = sorter.comparisons
      #expect(comparisons < 80 * 6000)
    }
    #expect(Self.sorted(text, step: 4) == Self.compared(text, step: 4))
  }

  @Test("the longest match is found among all indexed offsets")
  func longestMatch() throws {
    var random = SeededGenerator(6)
    let text = (0..<3000).map { _ in UInt8.random(in: 0...3, using: &random) }
    try text.withUnsafeBufferPointer { text throws in
      let array = try SuffixArray(text)
      for _ in 0..<500 {
        let pattern = (0..<12).map { _ in UInt8.random(in: 0...3, using: &random) }
        let longest =
          text.indices.map { start in
            zip(text[start...], pattern).prefix { $0 == $1 }.count
          }.max() ?? 0
        let match = pattern.withUnsafeBufferPointer { array.longestMatch(of: $0.baseAddress!, count: 12) }
        #expect(match.length == (longest < 4 ? 0 : longest))
        #expect(text[match.old..<match.old + match.length].elementsEqual(pattern.prefix(match.length)))
      }
    }
  }
}

/// Decides the order of two keys only when they are compared, such that next to nothing precedes the pivot.
///
/// After M. D. McIlroy, "A killer adversary for quicksort" (Software: Practice and Experience 29, 1999). It partitions as
/// `SuffixSorter` does.
private struct Adversary {
  /// Numbers that have no value yet are greater than all that have.
  private(set) var values: [Int]
  private var order: [Int]
  private var next = 0
  private var candidate = 0

  init(count: Int) {
    values = [Int](repeating: count, count: count)
    order = Array(0..<count)
  }

  private mutating func isLess(_ a: Int, _ b: Int) -> Bool {
    if a != b && values[a] == values.count && values[b] == values.count {
      values[a == candidate ? a : b] = next
      next += 1
    }
    if values[a] == values.count { candidate = a } else if values[b] == values.count { candidate = b }
    return values[a] < values[b]
  }

  private mutating func median(_ indices: (Int, Int, Int)) -> Int {
    median(of: (order[indices.0], order[indices.1], order[indices.2]))
  }

  private mutating func median(of numbers: (Int, Int, Int)) -> Int {
    let isLess = isLess(numbers.0, numbers.1)
    let (low, high) = isLess ? (numbers.0, numbers.1) : (numbers.1, numbers.0)
    let middle = self.isLess(high, numbers.2) ? high : numbers.2
    return self.isLess(low, middle) ? middle : low
  }

  private mutating func pivot(_ start: Int, to end: Int) -> Int {
    let size = end - start
    let middle = start + size / 2
    guard size > 40 else { return median((start, middle, end - 1)) }
    let part = size / 8
    let three = (
      median((start, start + part, start + 2 * part)), median((middle - part, middle, middle + part)),
      median((end - 1 - 2 * part, end - 1 - part, end - 1))
    )
    return median(of: three)
  }

  mutating func sort(_ first: Int, _ end: Int) {
    var start = first
    while start < end {
      let pivot = pivot(start, to: end)
      var (less, index, greater) = (start, start, end)
      while index < greater {
        if order[index] == pivot {
          index += 1
        } else if isLess(order[index], pivot) {
          order.swapAt(index, less)
          less += 1
          index += 1
        } else {
          greater -= 1
          order.swapAt(index, greater)
        }
      }
      sort(start, less)
      start = greater
    }
    guard first == 0 && end == values.count else { return }
    for number in values.indices where values[number] == values.count {
      values[number] = next
      next += 1
    }
  }
}
