import DeltaApply
import DeltaCreate
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@Suite("Hostile bytes")
struct HostileBytesTests {
  @Test("the fixture has several sections and frames", arguments: [1, 7, 100_000])
  func fixture(piece: Int) throws {
    let fixture = try Fixture()
    #expect(fixture.patch.bytes.count > 450)
    var applier = MemoryApplier(old: fixture.old)
    applier.piece = piece
    #expect(try applier.apply(fixture.patch.bytes, expectedHead: fixture.patch.headDigest) == fixture.new)
    #expect(applier.points.count >= 3)
  }

  @Test("every prefix is refused")
  func prefixes() throws {
    let fixture = try Fixture()
    var applier = MemoryApplier(old: fixture.old)
    for count in 0..<fixture.patch.bytes.count {
      let prefix = Array(fixture.patch.bytes[..<count])
      do throws(DeltaError) {
        _ = try applier.apply(prefix, expectedHead: fixture.patch.headDigest)
        Issue.record("\(count) bytes were enough")
      } catch {
        switch error {
        case .truncated(let offset): #expect(offset == UInt64(count))
        // The container's size is known too: a frame may have no room in it.
        case .badFrame(let offset): #expect(offset < UInt64(count))
        default: Issue.record("\(count) bytes: \(error)")
        }
      }
    }
  }

  @Test("every changed byte is refused", arguments: [0x01, 0x80, 0xff] as [UInt8])
  func flips(change: UInt8) throws {
    let fixture = try Fixture()
    var applier = MemoryApplier(old: fixture.old)
    applier.newSize = UInt64(fixture.new.count)
    let headSize = fixture.patch.head.encoded().count
    for index in fixture.patch.bytes.indices {
      var bytes = fixture.patch.bytes
      bytes[index] ^= change
      do throws(DeltaError) {
        _ = try applier.apply(bytes, expectedHead: fixture.patch.headDigest)
        Issue.record("byte \(index) was not missed")
      } catch {
        switch error {
        case .notAPatch: #expect(index < 3)
        case .truncated: #expect(change == 0x80)  // the last frame claims to be followed by another
        case .badHead, .wrongHead, .wrongOldFile, .overMemory: #expect(index < headSize)
        case .wrongFrame(let offset), .badFrame(let offset):
          #expect(offset <= max(UInt64(index), UInt64(headSize)))
        default: Issue.record("byte \(index): \(error)")
        }
      }
    }
  }

  @Test("a byte after the last frame is refused")
  func trailing() throws {
    let fixture = try Fixture()
    var applier = MemoryApplier(old: fixture.old)
    #expect(throws: DeltaError.self) {
      _ = try applier.apply(fixture.patch.bytes + [0], expectedHead: fixture.patch.headDigest)
    }
  }

  @Test("a patch for other files is refused before anything is made")
  func otherFiles() throws {
    let fixture = try Fixture()
    let size = UInt64(fixture.old.count)
    var applier = MemoryApplier(old: fixture.old + [0])
    #expect(throws: DeltaError.wrongOldFile(found: size + 1, expected: size)) {
      _ = try applier.apply(fixture.patch.bytes, expectedHead: fixture.patch.headDigest)
    }
    applier = MemoryApplier(old: fixture.old)
    applier.newSize = UInt64(fixture.new.count) + 1
    #expect(throws: DeltaError.wrongHead) {
      _ = try applier.apply(fixture.patch.bytes, expectedHead: fixture.patch.headDigest)
    }
  }

  @Test("a packed component needs no old file, and reads none that is there")
  func packed() throws {
    let fixture = try Fixture()
    let nothing: [UInt8] = []
    let patch = try PatchMaker().make(old: nothing.span, new: fixture.new.span)
    for old in [[], fixture.old] {
      var applier = MemoryApplier(old: old)
      #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == fixture.new)
    }
  }

  @Test("over the memory limit nothing is decoded")
  func memory() throws {
    let fixture = try Fixture()
    let needed = fixture.patch.head.memoryNeeded
    var applier = MemoryApplier(old: fixture.old)
    applier.memoryLimit = needed - 1
    #expect(throws: DeltaError.overMemory(needed: needed, allowed: needed - 1)) {
      _ = try applier.apply(fixture.patch.bytes, expectedHead: fixture.patch.headDigest)
    }
    applier.memoryLimit = needed
    #expect(try applier.apply(fixture.patch.bytes, expectedHead: fixture.patch.headDigest) == fixture.new)
  }

  /// Blocks with every operation.
  private static let blocks =
    craftBlock(
      copies: [3, 10, 20, 0, 5, 10], runs: [4, 2, 3, 1], differences: [1, 2, 3], literals: Array(1...10))
    + craftBlock(
      operations: [1, 0, 10, 3, 0x4c, 0x15, 0x46],
      copies: [0, 4, 20, 0, 4, 9, 0, 5, 2, 1, 50, 3, 0, 4, 0, 2, 1, 1], runs: [5, 3, 1, 2],
      differences: [9, 9, 9, 8, 7],
      numbers: [300, 400, 1, 2, 3, 4, 5], literals: [1, 2, 3])

  @Test("authentic instructions with any byte changed are refused or make as many bytes")
  func instructions() throws {
    let old = [UInt8](repeating: 9, count: 100)
    let whole = CraftedPatch.one(Self.blocks, newSize: 0)
    let size = try Self.size(of: whole, old: old)
    #expect(size > 130)
    var refused = 0
    for index in Self.blocks.indices {
      for change in [0x01, 0x02, 0x08, 0x40, 0x80, 0xff] as [UInt8] {
        var changed = Self.blocks
        changed[index] ^= change
        do {
          #expect(try CraftedPatch.one(changed, newSize: size).apply(to: old).count == size)
        } catch is DeltaError {
          refused += 1
        }
      }
    }
    #expect(refused > Self.blocks.count)
  }

  /// The size of the new file that makes a patch right.
  private static func size(of crafted: CraftedPatch, old: [UInt8]) throws -> Int {
    for size in 1..<1000 {
      var crafted = crafted
      crafted.newSize = UInt64(size)
      do { return try crafted.apply(to: old).count } catch is DeltaError {}
    }
    return 0
  }

  @Test(
    "authentic frames with any byte of the compressed stream changed do no harm", arguments: [false, true])
  func streams(isSorted: Bool) throws {
    var random = SeededGenerator(78)
    let block = craftBlock(literals: random.bytes(150, values: 8))
    var index = 0
    var isPastEnd = false
    while !isPastEnd {
      let section = CraftedPatch.Section(completed: 0, blocks: block, isSorted: isSorted)
      var crafted = CraftedPatch(oldSize: 0, newSize: 150, sections: [section])
      crafted.allowSorted()
      crafted.changeStream = { stream in
        isPastEnd = index >= stream.count
        if !isPastEnd { stream[index] ^= UInt8.random(in: 1...255, using: &random) }
      }
      do { _ = try crafted.apply() } catch is DeltaError {}
      index += 1
    }
    #expect(index > 50)
  }
}
