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

  @Test("the longest match is found among all places that are looked at")
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
