import Codec
import DeltaApply
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

/// Old contents that are larger than what a device holds of them.
@Suite("Windows of contents")
struct ContentWindowTests {
  private static let window = 128 << 10
  private static let kept = Int(ContentWindow.kept(of: UInt64(window)))

  /// A range of the old content that is copied.
  struct Copy {
    var start: Int
    var count: Int
    var isReversed = false
  }

  private static func patch(
    _ copies: [Copy], of content: [UInt8], window: Int = Self.window, without missing: Int = 0,
    wrapper: DeflateParameters.Wrapper = .zlib
  ) throws -> (old: [UInt8], new: [UInt8], patch: CraftedPatch) {
    let old = try deflated(content, CraftedTarget.parameters(wrapper))
    var made: [UInt8] = []
    var operations: [UInt8] = []
    var numbers: [UInt64] = []
    var cursor = 0
    for copy in copies {
      let range = copy.start..<copy.start + copy.count
      if copy.isReversed {
        for unit in stride(from: range.upperBound - 8, through: range.lowerBound, by: -8) {
          made += content[unit..<unit + 8]
        }
        operations.append(PatchOperation.copyOldReversed(unit: 1).byte)
        numbers += [0, step(range.upperBound - 8 - cursor), UInt64(copy.count / 8)]
        cursor = copy.start
      } else {
        // What is not there is made up.
        made += range.map { $0 < content.count ? content[$0] : 0 }
        operations.append(PatchOperation.copyOld.byte)
        numbers += [0, step(copy.start - cursor), UInt64(copy.count)]
        cursor = range.upperBound
      }
    }
    let new = try deflated(made, CraftedTarget.usual)
    let target = CraftedTarget(
      contentSize: made.count, destinations: [[0, new.count]], wrapper: wrapper.rawValue,
      sources: [[0, old.count - missing]])
    let block = craftBlock(operations: operations, copies: numbers, targets: target.encoded)
    var patch = CraftedPatch.streams(block, old: old.count, new: new.count, content: window)
    patch.checked = new
    return (old, new, patch)
  }

  private static func isRefused(
    _ copies: [Copy], of content: [UInt8], window: Int = Self.window,
    _ error: DeltaError = .outsideSource(at: 0)
  ) throws {
    let (old, _, patch) = try patch(copies, of: content, window: window)
    #expect(throws: error) { _ = try patch.apply(to: old) }
    let built = try patch.build()
    #expect(try ReferenceApplier.apply(built.bytes, to: old, head: built.head) == nil)
  }

  @Test("copies within the window make what the content holds", arguments: 0..<8 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    let content = random.bytes(700_000, values: 40)
    var copies: [Copy] = []
    var furthest = 0
    while furthest < content.count - 1000 {
      let floor = furthest > Self.window ? furthest - Self.kept : 0
      let most = min(content.count - 8, max(furthest, Self.window) + 100_000)
      let start =
        Int.random(in: 0..<4, using: &random) == 0 ? floor : Int.random(in: floor...most, using: &random)
      let isReversed = Bool.random(using: &random)
      var count = min(Int.random(in: 8...150_000, using: &random), content.count - start)
      if isReversed {
        // It takes its last byte first.
        count = count / 8 * 8
        if max(furthest, start + count) > Self.window {
          count = min(count, start + Self.kept - furthest) / 8 * 8
        }
        if start + count > furthest { count = min(count, Self.kept / 8 * 8) }
        guard count > 0 else { continue }
      }
      copies.append(Copy(start: start, count: count, isReversed: isReversed))
      furthest = max(furthest, start + count)
    }
    let wrapper = DeflateParameters.Wrapper.allCases[Int(seed % 3)]
    let (old, new, patch) = try Self.patch(copies, of: content, wrapper: wrapper)
    #expect(try patch.apply(to: old) == new)
    let built = try patch.build()
    #expect(try ReferenceApplier.apply(built.bytes, to: old, head: built.head) == new)
  }

  @Test(
    "the end of a bare stream, which the inflater has read, is inflated when it is wanted",
    arguments: 1..<40 as Range<Int>)
  func held(rest: Int) throws {
    let content = [UInt8](repeating: 7, count: 400_000 + rest)
    let copies = [Copy(start: 0, count: 400_000), Copy(start: 400_000, count: rest)]
    let (old, new, patch) = try Self.patch(copies, of: content, wrapper: .raw)
    #expect(try patch.apply(to: old) == new)
  }

  @Test("what is before the window, or after the content, is refused")
  func outside() throws {
    var random = SeededGenerator(1)
    let content = random.bytes(500_000, values: 40)
    let far = Copy(start: 200_000, count: 50_000)
    let floor = 250_000 - Self.kept
    let (old, new, patch) = try Self.patch([far, Copy(start: floor, count: 16)], of: content)
    #expect(try patch.apply(to: old) == new)
    try Self.isRefused([far, Copy(start: floor - 1, count: 16)], of: content)
    try Self.isRefused([far, Copy(start: floor - 8, count: 16, isReversed: true)], of: content)
    try Self.isRefused([far, Copy(start: 499_990, count: 11)], of: content)
    try Self.isRefused([far, Copy(start: 500_000, count: 1)], of: content)
    // The last of the first copies that needs no window.
    let first = Copy(start: Self.window - 100, count: 100)
    let all = try Self.patch([first, Copy(start: 0, count: 50)], of: content)
    #expect(try all.patch.apply(to: all.old) == all.new)
    try Self.isRefused([Copy(start: Self.window - 100, count: 101), Copy(start: 0, count: 50)], of: content)
  }

  @Test("a head whose window is too small is refused, and so is a stream that is cut")
  func unusable() throws {
    var random = SeededGenerator(2)
    let content = random.bytes(300_000, values: 40)
    let copies = [Copy(start: 0, count: 300_000)]
    try Self.isRefused(copies, of: content, window: ContentWindow.smallest - 1, .codec(.corrupt))
    let (old, _, patch) = try Self.patch(copies, of: content, without: 1000)
    #expect(throws: DeltaError.codec(.truncated)) { _ = try patch.apply(to: old) }
  }
}
