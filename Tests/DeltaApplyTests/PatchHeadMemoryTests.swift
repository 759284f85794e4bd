import Crypto
import DeltaApply
import PatchFormat
import Testing

@Suite("Memory for a patch")
struct PatchHeadMemoryTests {
  @Test("the memory is the sum of what is allocated")
  func memory() {
    let parts: [UInt64] = [
      1 << 20, 96 << 10, 42 + 41, 64 << 10, 128 << 10, 64 << 10, 16 << 10, 64 << 10, 20 << 10,
    ]
    let head = PatchHead(
      old: (10, Digest()), new: (20, Digest()),
      shape: .init(dictionarySize: 1 << 20, maximumPayload: 64 << 10, maximumBlock: 128 << 10))
    #expect(head.memoryNeeded == parts.reduce(0, +))
    let stored = PatchHead.Shape(dictionarySize: 0, maximumPayload: 100, maximumBlock: 50)
    #expect(PatchHead.memoryNeeded(stored) == 42 + 41 + 100 + 50 + (64 + 16 + 64 + 20) << 10)
    // One old content, an inflater, a deflater with the largest window and memory, what it gives, and three lists of
    // 4,096 extents.
    let streams = PatchHead.Shape(
      dictionarySize: 0, maximumPayload: 100, maximumBlock: 50, maximumContent: 1000)
    let further: [UInt64] = [1000, 44 << 10, (128 + 256 + 12) << 10, 16 << 10, 3 * 4096 * 16]
    #expect(PatchHead.memoryNeeded(streams) - PatchHead.memoryNeeded(stored) == further.reduce(0, +))
  }
}
