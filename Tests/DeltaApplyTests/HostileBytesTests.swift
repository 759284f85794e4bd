import DeltaApply
import DeltaCreate
import DeltaTestSupport
import TestSupport
import Testing

/// A small patch of several sections, frames and blocks.
struct Fixture {
  let old: [UInt8]
  let new: [UInt8]
  let patch: Patch

  init() throws {
    var random = SeededGenerator(77)
    let old = random.bytes(2000, values: 60)
    var new = Array(old[700...]) + random.bytes(150) + Array(old[..<900])
    for index in stride(from: 50, to: new.count, by: 61) { new[index] &+= 3 }
    var options = PatchMaker.Options()
    options.blockSize = 256
    options.payloadSize = 90
    options.sectionSize = 120
    options.sectionOutput = 600
    patch = try PatchMaker(options).make(old: old.span, new: new.span)
    self.old = old
    self.new = new
  }
}

@Suite("Hostile bytes")
struct HostileBytesTests {
  @Test("the fixture has several sections and frames")
  func fixture() throws {
    let fixture = try Fixture()
    #expect(fixture.patch.head.sectionCount >= 4)
    #expect(fixture.patch.bytes.count > 700)
    var applier = MemoryApplier(old: fixture.old)
    #expect(try applier.apply(fixture.patch.bytes, expectedHead: fixture.patch.headDigest) == fixture.new)
  }

  @Test("every prefix is refused as truncated")
  func prefixes() throws {
    let fixture = try Fixture()
    var applier = MemoryApplier(old: fixture.old)
    for count in 0..<fixture.patch.bytes.count {
      let prefix = Array(fixture.patch.bytes[..<count])
      #expect(throws: DeltaError.truncated(at: UInt64(count))) {
        _ = try applier.apply(prefix, expectedHead: fixture.patch.headDigest)
      }
    }
  }

  @Test("every changed byte is refused", arguments: [0x01, 0x80, 0xff] as [UInt8])
  func flips(change: UInt8) throws {
    let fixture = try Fixture()
    var applier = MemoryApplier(old: fixture.old)
    for index in fixture.patch.bytes.indices {
      var bytes = fixture.patch.bytes
      bytes[index] ^= change
      do throws(DeltaError) {
        _ = try applier.apply(bytes, expectedHead: fixture.patch.headDigest)
        Issue.record("byte \(index) was not missed")
      } catch {
        switch error {
        case .wrongHead: #expect(index < PatchHead.size)
        case .wrongFrame(let offset), .badFrame(let offset): #expect(offset <= UInt64(index))
        default: Issue.record("byte \(index): \(error)")
        }
      }
    }
  }

  @Test("a byte behind the last frame is refused")
  func trailing() throws {
    let fixture = try Fixture()
    var applier = MemoryApplier(old: fixture.old)
    let end = UInt64(fixture.patch.bytes.count)
    #expect(throws: DeltaError.trailingBytes(at: end)) {
      _ = try applier.apply(fixture.patch.bytes + [0], expectedHead: fixture.patch.headDigest)
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

  @Test("authentic instructions with any byte changed are refused or make as many bytes")
  func instructions() throws {
    let blocks =
      craftBlock(
        newSize: 40, covers: [3, 10, 20, 0, 5, 10], runs: [4, 2, 3, 1, 6], differences: [1, 2, 3],
        extras: Array(1...10)) + craftBlock(newSize: 5, extras: [1, 2, 3, 4, 5])
    var applier = MemoryApplier(old: [UInt8](repeating: 9, count: 60))
    var refused = 0
    for index in blocks.indices {
      for change in [0x01, 0x02, 0x40, 0x80, 0xff] as [UInt8] {
        var changed = blocks
        changed[index] ^= change
        let patch = try CraftedPatch(
          oldSize: 60, newSize: 45, sections: [.init(completed: 0, blocks: changed)]
        ).build()
        do throws(DeltaError) {
          #expect(try applier.apply(patch.bytes, expectedHead: patch.head).count == 45)
        } catch { refused += 1 }
      }
    }
    #expect(refused > blocks.count)
  }

  @Test("authentic frames with any byte of the LZMA2 stream changed do no harm")
  func streams() throws {
    var random = SeededGenerator(78)
    let block = craftBlock(newSize: 150, extras: random.bytes(150, values: 8))
    var applier = MemoryApplier(old: [])
    var index = 0
    var isPastEnd = false
    while !isPastEnd {
      var crafted = CraftedPatch(oldSize: 0, newSize: 150, sections: [.init(completed: 0, blocks: block)])
      crafted.changeStream = { stream in
        isPastEnd = index >= stream.count
        if !isPastEnd { stream[index] ^= UInt8.random(in: 1...255, using: &random) }
      }
      let patch = try crafted.build()
      do throws(DeltaError) { _ = try applier.apply(patch.bytes, expectedHead: patch.head) } catch {}
      index += 1
    }
    #expect(index > 50)
  }
}
