import DeltaTestSupport
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Matchings")
struct MatcherTests {
  @Test("matchings that advance together find the same copies as each alone")
  func together() throws {
    var random = SeededGenerator(11)
    let words = (0..<40).map { _ in random.bytes(9) }
    func text() -> [UInt8] { (0..<10_000).flatMap { _ in words[Int(random.next() % 40)] } }
    // More than the matches that are remembered at a time.
    let (old, new) = (text(), text())
    let options = PatchMaker.Options()
    let matchings = options.matchings
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let alone = try matchings.map { try CopyFinder.bySuffixes(old: old, new: new, [$0])[0] }
        #expect(try CopyFinder.bySuffixes(old: old, new: new, matchings) == alone)
      }
    }
  }
}
