import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Pauses between differences")
struct PauseTests {
  /// One copy of all of the old file, with a difference in every fifth byte.
  private static let old: [UInt8] = {
    var random = SeededGenerator(12)
    return random.bytes(1000)
  }()
  private static let new = old.enumerated().map { $0.offset % 5 == 2 ? $0.element &+ 1 : $0.element }

  private func blocks(pause: Int, options: PatchMaker.Options = .init()) throws -> [UInt8] {
    var blocks: [UInt8] = []
    try Self.old.withUnsafeBufferPointer { old in
      try Self.new.withUnsafeBufferPointer { new in
        let copy = ScriptOperation(operation: .copyOld, new: 0, source: 0, length: new.count)
        var script = PatchScript(old: old, output: .file(new), operations: [copy])
        script.shortestPause = pause
        _ = try ScriptEncoder.encode(script, options: options) { (section) throws(DeltaCreateError) in
          blocks += section.bytes
          return true
        }
      }
    }
    return blocks
  }

  @Test("equal bytes are differences of 0 if they are fewer than the pause", arguments: [1, 4, 5, 6, 16])
  func runs(pause: Int) throws {
    let blocks = try blocks(pause: pause)
    // The first two bytes are equal, and those after the last difference.
    let runs = pause <= 4 ? [2, 1] + Array(repeating: [4, 1] as [UInt64], count: 199).joined() : [2, 996]
    let differences = pause <= 4 ? [UInt8](repeating: 1, count: 200) : (0..<996).map { $0 % 5 == 0 ? 1 : 0 }
    #expect(blocks == craftBlock(copies: [0, 0, 1000], runs: runs, differences: differences))
  }

  @Test("whatever the pause and the size of blocks, the patch makes the file", arguments: [1, 3, 5, 200])
  func roundTrip(pause: Int) throws {
    for blockSize in [100, 128, 4000] as [UInt32] {
      var options = PatchMaker.Options()
      options.blockSize = blockSize
      let blocks = try blocks(pause: pause, options: options)
      var crafted = CraftedPatch(
        oldSize: 1000, newSize: 1000, sections: [.init(completed: 0, blocks: blocks)])
      crafted.shape = .init(dictionarySize: 4096, maximumPayload: 50, maximumBlock: 4096)
      let patch = try crafted.build()
      var applier = MemoryApplier(old: Self.old)
      #expect(try applier.apply(patch.bytes, expectedHead: patch.head) == Self.new)
    }
  }
}
