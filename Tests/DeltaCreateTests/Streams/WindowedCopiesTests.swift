import Codec
import DeltaApply
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Copies from a window")
struct WindowedCopiesTests {
  @Test("a stream is patched by what changed in it, also if no device holds its content")
  func largeContent() throws {
    let gzip = try #require(DeflateParameters(level: 6, wrapper: .gzip))
    var random = SeededGenerator(5)
    var lines = (0..<90_000).map { "\($0);\(random.next() % 1_000_000);name of a place\n" }
    let old = try deflated(Array(lines.joined().utf8), gzip)
    for line in stride(from: 100, to: lines.count, by: 6000) { lines[line] = "changed \(line)\n" }
    // A block that has moved further than a window.
    lines.insert(contentsOf: lines[58_000..<58_500], at: 1000)
    let content = Array(lines.joined().utf8)
    #expect(content.count > DeflateLimits.window * 4 / 3)
    let new = try deflated(content, gzip)
    let patch = try PatchMaker().make(old: old.span, new: new.span)
    #expect(patch.head.shape.maximumContent == UInt32(DeflateLimits.window))
    #expect(patch.bytes.count < new.count / 20, "\(patch.bytes.count) of \(new.count)")
    var applier = MemoryApplier(old: old)
    #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == new)
    #expect(try ReferenceApplier.apply(patch.bytes, to: old, head: patch.headDigest) == new)
  }

  private static let window = 100_000
  private static let kept = 75_000

  private static func reachable(_ copies: [Copy]) -> [Copy] {
    WindowedCopies.reachable(copies, in: 1_000_000, window: window)
  }

  @Test("a content that is held whole leaves out nothing")
  func whole() {
    let copies = [Copy(new: 0, old: 90_000, length: 10), Copy(new: 10, old: 0, length: 10)]
    #expect(WindowedCopies.reachable(copies, in: Self.window, window: Self.window) == copies)
    #expect(Self.reachable(copies) == copies)
  }

  @Test("what the window has passed is left out, and it moves ahead only if that loses less")
  func passed() {
    let copies = [
      Copy(new: 0, old: 100_000, length: 50_000),
      Copy(new: 50_000, old: 150_000 - Self.kept, length: 10),
      Copy(new: 50_010, old: 150_000 - Self.kept - 1, length: 100),
      Copy(new: 50_110, old: 600_000, length: 4000), Copy(new: 60_000, old: 150_000, length: 3000),
      Copy(new: 63_000, old: 153_000, length: 1001), Copy(new: 70_000, old: 600_000, length: 500),
      Copy(new: 70_500, old: 154_000, length: 500),
    ]
    #expect(Self.reachable(copies) == [copies[0], copies[1], copies[4], copies[5], copies[6]])
  }
}
