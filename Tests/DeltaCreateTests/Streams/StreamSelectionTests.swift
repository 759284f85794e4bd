import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import Codec
@testable import DeltaCreate

@Suite("Selection of streams")
struct StreamSelectionTests {
  @Test("little memory leaves streams out, from the end of the file on, and says of how many bytes")
  func memory() throws {
    var random = SeededGenerator(31)
    let parameters = try #require(DeflateParameters(level: 6, wrapper: .zlib))
    let contents = (0..<40).map { _ in random.bytes(300, values: 20) }
    let old = try contents.flatMap { try deflated($0, parameters) }
    let streams = try contents.map { try deflated($0.dropLast() + [99], parameters) }
    let new = Array(streams.joined())
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        func select(_ memory: Int) throws -> StreamSelection {
          try StreamSelection(old: old, new: new, memory: memory, options: PatchMaker.Options())
        }
        let all = try select(.max)
        #expect(all.streams.count == 40 && all.figures.found.count == 40 && all.figures.unsearched == 0)
        let ten = DeflateLimits.maximumExtents(memory: 10 << 10)
        let some = try select(10 << 10)
        #expect(ten == 10 && some.streams.count == ten && some.figures.found.count == 10)
        // The same number of streams of the old file is not searched.
        let unsearched = some.figures.unsearched
        #expect(unsearched > 2 * 30 * 100 && unsearched < old.count + new.count)
      }
    }
  }

  @Test("a stream whose target does not fit into a block is not made again", arguments: [200, 2])
  func largeTarget(chunks: Int) throws {
    var random = SeededGenerator(32)
    let parameters = try #require(DeflateParameters(level: 6, wrapper: .zlib))
    let content = random.bytes(6000, values: 20)
    let stream = try deflated(content, parameters)
    let old = picture(stream, chunks: 2)
    let new = try picture(deflated(content.dropLast() + [99], parameters), chunks: chunks)
    var options = PatchMaker.Options()
    options.matchings = Array(options.matchings.prefix(2))
    for (blockSize, fits) in [(512, chunks == 2), (128 << 10, true)] as [(UInt32, Bool)] {
      options.blockSize = blockSize
      let patch = try PatchMaker(options).make(old: old.span, new: new.span)
      #expect(patch.head.shape.maximumBlock <= blockSize)
      #expect((patch.head.shape.maximumContent > 0) == fits, "blocks of \(blockSize)")
      var applier = MemoryApplier(old: old)
      let made = try applier.apply(patch.bytes, expectedHead: patch.headDigest)
      #expect(made == new)
    }
  }
}
