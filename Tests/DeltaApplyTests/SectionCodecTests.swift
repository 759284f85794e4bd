import DeltaApply
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@Suite("Codecs of sections")
struct SectionCodecTests {
  /// Sections of 300 bytes each, some of them sorted.
  private static func patch(_ isSorted: [Bool]) -> (crafted: CraftedPatch, new: [UInt8]) {
    var random = SeededGenerator(31)
    let parts = isSorted.map { _ in random.bytes(300, values: 9) }
    var crafted = CraftedPatch(
      oldSize: 0, newSize: UInt64(300 * isSorted.count),
      sections: parts.enumerated().map { number, part in
        .init(
          completed: UInt64(300 * number), blocks: craftBlock(literals: part), isSorted: isSorted[number])
      })
    crafted.allowSorted()
    return (crafted, Array(parts.joined()))
  }

  @Test(
    "sections of both codecs follow one another, and applying resumes at each",
    arguments: [[true], [true, true], [false, true, false], [true, false, true, true, false]])
  func mixed(isSorted: [Bool]) throws {
    let (crafted, new) = Self.patch(isSorted)
    let patch = try crafted.build()
    for piece in [1, 30, 100_000] {
      var applier = MemoryApplier(old: [])
      applier.piece = piece
      #expect(try applier.apply(patch.bytes, expectedHead: patch.head) == new)
      let points = applier.points
      #expect(points.count == isSorted.count - 1)
      for point in points {
        let partial = Array(new[..<Int(point.completed)])
        #expect(
          try applier.apply(patch.bytes, expectedHead: patch.head, from: point, partial: partial) == new)
      }
    }
  }

  @Test("a sorted section of a patch that does not declare it is refused", arguments: [0, 4096] as [UInt32])
  func undeclared(dictionarySize: UInt32) {
    for (isSorted, position) in [([true], 0), ([false, true], 300)] as [([Bool], UInt64)] {
      var (crafted, _) = Self.patch(isSorted)
      crafted.payloadSize = 400
      crafted.shape = .init(dictionarySize: dictionarySize, maximumPayload: 400, maximumBlock: 4096)
      #expect(throws: DeltaError.badSection(at: position)) { _ = try crafted.apply() }
    }
  }

  @Test("a frame within a section cannot say that it is sorted")
  func laterFrame() {
    for isSorted in [false, true] {
      var (crafted, _) = Self.patch([isSorted])
      crafted.changeHeader = { header, _, frame in
        FrameHeader(
          payloadSize: header.payloadSize, start: header.start, isSorted: frame == 1 || header.isSorted,
          next: header.next)
      }
      let error = #expect(throws: DeltaError.self) { _ = try crafted.apply() }
      guard case .badFrame = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test("a sorted section that ends early, or with bytes left, is refused")
  func sectionEnd() throws {
    var (crafted, _) = Self.patch([true])
    crafted.changeStream = { $0.removeLast() }
    #expect(throws: DeltaError.badSection(at: 300)) { _ = try crafted.apply() }
    crafted.changeStream = { $0.append(0) }
    #expect(throws: DeltaError.badSection(at: 300)) { _ = try crafted.apply() }
    crafted.changeStream = { $0.removeLast(5) }
    #expect(throws: DeltaError.self) { _ = try crafted.apply() }
  }
}
