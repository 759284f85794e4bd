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
    // Sections are sorted or LZMA2, never both at a time: a chunk of 224 KiB, and the tables.
    for dictionarySize in [0, 1 << 20, 2 << 20] as [UInt32] {
      let sorted = PatchHead.Shape(
        dictionarySize: dictionarySize, hasSortedSections: true, maximumPayload: 100, maximumBlock: 50)
      let decoder = max(4 * (224 << 10 + 1) + 157_696 + 2048, UInt64(dictionarySize) + 96 << 10)
      #expect(PatchHead.memoryNeeded(sorted) - PatchHead.memoryNeeded(stored) == decoder)
    }
    // One old content, an inflater, a deflater with the largest window and memory, what it gives, and three lists of
    // 4,096 extents.
    let streams = PatchHead.Shape(
      dictionarySize: 0, maximumPayload: 100, maximumBlock: 50, maximumContent: 1000)
    let further: [UInt64] = [1000, 44 << 10, (128 + 256 + 12) << 10, 16 << 10, 3 * 4096 * 16]
    #expect(PatchHead.memoryNeeded(streams) - PatchHead.memoryNeeded(stored) == further.reduce(0, +))
  }
}
