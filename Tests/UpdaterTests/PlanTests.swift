import Catalog
import Crypto
import MapModel
import MapTestSupport
import MapTree
import Platform
import Store
import TestSupport
import Testing

@testable import Updater

@Suite("Plan")
struct PlanTests {
  private let block: UInt64 = 4096
  /// What a generation takes without components.
  private let empty: UInt64 = 16 * 4096

  /// What a note of where applying can go on takes.
  private let note: UInt64 = 2 * 4096

  private func plan() -> Plan { Plan(space: Space(available: 1 << 40, block: block)) }

  @Test("an empty plan takes a generation's own files and the program's own memory")
  func nothing() {
    let plan = plan()
    #expect(plan.peakDisk == empty)
    #expect(plan.memory == UpdateLimits.ownMemory)
    #expect(!plan.changesAnything && plan.fetched == 0 && plan.download == 0)
  }

  @Test("what stays takes a block for its directory, and no byte on the wire")
  func keep() throws {
    var plan = plan()
    plan.keep(try Fixture.entry("a", size: 1_000_000))
    plan.keep(try Fixture.entry("b", size: 1))
    #expect(plan.kept == 2 && plan.installedSize == 1_000_001 && plan.newSize == 0)
    #expect(plan.peakDisk == empty + 2 * block)
    #expect(!plan.changesAnything)
  }

  /// Inodes that a generation takes without components.
  private let emptyFiles: UInt64 = 8

  @Test("what stays takes an inode for each directory that the package before it does not have")
  func keptFiles() throws {
    var plan = plan()
    #expect(plan.peakFiles == emptyFiles)
    for (id, files) in [("a/b", 2), ("a/b", 2), ("a/c/d", 4), ("a/cc", 5), ("b", 6)] as [(PackageID, UInt64)]
    {
      plan.keep(try Fixture.entry(id))
      #expect(plan.peakFiles == emptyFiles + files, "\(id)")
    }
  }

  @Test("what is new takes an inode, but for what is staged; temporary files are counted once")
  func newFiles() throws {
    var plan = plan()
    let entry = try Fixture.entry("a/b", size: 10)
    let payload = Payload.whole(url: entry.url, size: 10)
    plan.fetch(entry, by: payload)
    #expect(plan.peakFiles == emptyFiles + 2 + 1 + 3)
    plan.fetch(try Fixture.entry("a/b", "poi"), by: payload)
    #expect(plan.peakFiles == emptyFiles + 2 + 2 + 3)
    plan.fetch(try Fixture.entry("a/b", "search"), by: payload, share: StagedShare(file: 4096))
    #expect(plan.peakFiles == emptyFiles + 2 + 2 + 3)
    var indexing = Plan(space: Space(available: 1 << 40, block: block), includesIndexes: true)
    indexing.fetch(try Fixture.entry("a/b", indexSize: 7), by: payload)
    #expect(indexing.peakFiles == emptyFiles + 2 + 1 + 3)
    indexing.fetch(try Fixture.entry("a/c", indexSize: 0), by: payload)
    #expect(indexing.peakFiles == emptyFiles + 3 + 2 + 1 + 3)
  }

  @Test("what goes is a change that takes nothing")
  func remove() {
    var plan = plan()
    plan.remove()
    #expect(plan.removed == 1 && plan.changesAnything && plan.peakDisk == empty)
  }

  @Test(
    "a file takes its size in whole blocks, less what staging takes already, and a block for its directory",
    arguments: [
      (0, 0, 0, 0, 0), (1, 0, 0, 1, 4096), (4096, 0, 0, 4096, 4096), (4097, 0, 0, 4097, 8192),
      (10_000, 4096, 4096, 5904, 8192), (10_000, 4097, 8192, 5903, 4096), (10_000, 10_000, 12_288, 0, 0),
      (10_000, 20_000, 20_480, 0, 0),
      // The space was reserved when the first bytes came.
      (10_000, 1, 12_288, 9999, 0),
    ] as [(UInt64, UInt64, UInt64, UInt64, UInt64)])
  func whole(size: UInt64, stored: UInt64, occupied: UInt64, download: UInt64, disk: UInt64) throws {
    var plan = plan()
    let entry = try Fixture.entry("a", size: size, indexSize: 7)
    plan.fetch(
      entry, by: .whole(url: entry.url, size: size), share: StagedShare(fetched: stored, file: occupied))
    #expect(plan.full == 1 && plan.download == download && plan.fullDownload == download)
    #expect(plan.downloadWithoutPatches == size && plan.newSize == size && plan.indexSize == 7)
    #expect(plan.peakDisk == empty + disk + block)
  }

  @Test(
    "a container is applied while it comes: it takes no space, but for a note of where that can go on",
    arguments: [(1, 0, 1), (5000, 0, 5000), (5000, 4096, 904), (5000, 5000, 0), (5000, 9000, 0)]
      as [(UInt64, UInt64, UInt64)])
  func container(size: UInt64, applied: UInt64, download: UInt64) throws {
    let container = try Fixture.container("c", size: size, memory: 123)
    let entry = try Fixture.entry("a", size: 10_000)
    for payload in [Payload.packed(container), .patch(container, from: try Fixture.installed("a"))] {
      var plan = plan()
      plan.fetch(entry, by: payload, share: StagedShare(fetched: applied))
      #expect(plan.download == download)
      #expect((plan.patched, plan.full) == (payload.method == "patch" ? (1, 0) : (0, 1)))
      #expect((plan.patchDownload == 0) == (payload.method == "full" || download == 0))
      #expect(plan.peakDisk == empty + 12_288 + block + note)
      #expect(plan.memory == UpdateLimits.ownMemory + 123)
    }
  }

  @Test("what each payload takes when it is stored is counted, less what is there")
  func storedDownload() throws {
    let container = try Fixture.container("c", size: 5000, memory: 1)
    let old = try Fixture.installed("a", size: 100 << 20)
    let entry = try Fixture.entry("a", size: 101 << 20)
    var plan = plan()
    plan.fetch(entry, by: .patch(container, from: old))
    #expect(plan.storedDownload == 8192)
    plan.fetch(entry, by: .patch(container, from: old), share: StagedShare(fetched: 5000))
    #expect(plan.storedDownload == 8192)
    plan.fetch(entry, by: .whole(url: entry.url, size: entry.size), share: StagedShare(file: 1 << 20))
    #expect(plan.storedDownload == 8192 + 100 << 20)
  }

  @Test("sizes that overflow when they are added count as the largest number")
  func largest() throws {
    let container = try Fixture.container("c", size: .max, memory: 1)
    let (entry, old) = (try Fixture.entry("a", size: .max), try Fixture.installed("a", size: .max))
    var plan = plan()
    for _ in 0..<3 { plan.remove() }
    for _ in 0..<3 { plan.fetch(entry, by: .whole(url: entry.url, size: .max)) }
    for _ in 0..<3 { plan.fetch(entry, by: .patch(container, from: old)) }
    for _ in 0..<3 { plan.fetch(entry, by: .packed(container)) }
    #expect(plan.peakDisk == .max && plan.storedDownload == .max)
  }

  @Test("what is compressed again is the sum over everything that is applied")
  func recompressed() throws {
    let installed = try Fixture.installed("a")
    let entry = try Fixture.entry("a")
    let container = try Fixture.container("c", size: 1, memory: 1, recompressed: 1000)
    var plan = plan()
    plan.fetch(entry, by: .whole(url: entry.url, size: entry.size))
    #expect(plan.recompressed == 0)
    plan.fetch(entry, by: .packed(container))
    plan.fetch(entry, by: .patch(container, from: installed))
    #expect(plan.recompressed == 2000)
    let link = Patch(from: installed.digest, container: container)
    plan.fetch(entry, by: .chain([link, link], from: installed))
    #expect(plan.recompressed == 4000)
    var json = JSON()
    plan.write(to: &json)
    #expect(json.text.contains("\"recompressed\":4000"))
    let endless = try Fixture.container("d", size: 1, memory: 1, recompressed: .max)
    plan.fetch(entry, by: .packed(endless))
    #expect(plan.recompressed == .max)
  }

  @Test("notes go when they are used: the peak is the worst moment, not the sum")
  func peak() throws {
    var plan = plan()
    let entry = try Fixture.entry("a", size: 4096)
    for memory in [100, 300, 200] as [UInt64] {
      plan.fetch(entry, by: .packed(try Fixture.container("c", size: 1, memory: memory)))
    }
    #expect(plan.peakDisk == empty + 3 * 2 * block + note)
    #expect(plan.memory == UpdateLimits.ownMemory + 300)
  }

  @Test(
    "of a chain, two files are there at a time: the peak has the largest pair, less what is there already",
    arguments: [
      // Blocks of each intermediate, and bytes of them that are there; blocks in addition to the two of the new file.
      ([2], 0, 2), ([1], 0, 1), ([3], 0, 3), ([1, 1], 0, 1), ([4, 3], 0, 5), ([3, 4], 0, 5), ([0], 0, 0),
      ([3], 4096, 2), ([3], 1 << 40, -2),
    ] as [([Int], UInt64, Int)])
  func chain(intermediates: [Int], there: UInt64, blocks: Int) throws {
    let entry = try Fixture.entry("a", size: 2 * block)
    let installed = try Fixture.installed("a")
    var patches: [Patch] = []
    var from = installed.digest
    for (index, blocks) in intermediates.enumerated() {
      let to = Intermediate(digest: try Fixture.digest("\(index)"), size: UInt64(blocks) * block)
      patches.append(
        Patch(from: from, to: to, container: try Fixture.container("c\(index)", size: 10, memory: 7)))
      from = to.digest
    }
    patches.append(Patch(from: from, container: try Fixture.container("last", size: 100, memory: 5)))
    var plan = plan()
    plan.fetch(entry, by: .chain(patches, from: installed), share: StagedShare(temporary: there))
    #expect(plan.patched == 1 && plan.chained == 1 && plan.full == 0)
    #expect(plan.patchDownload == 100 + 10 * UInt64(intermediates.count))
    #expect(plan.memory == UpdateLimits.ownMemory + 7)
    // A note for each, one at a time.
    #expect(Int64(plan.peakDisk) == Int64(empty + 3 * block + note) + Int64(blocks) * Int64(block))
  }

  @Test(
    "where indexes are made, the peak has their size in whole blocks, less what is staged, and a block each",
    arguments: [(0, 0, 0), (1, 0, 2), (4096, 0, 2), (10_000, 0, 4), (10_000, 4096, 3), (10_000, 20_000, 1)]
      as [(UInt64, UInt64, UInt64)])
  func indexes(size: UInt64, stored: UInt64, blocks: UInt64) throws {
    let entry = try Fixture.entry("a", size: 4096, indexSize: size)
    for includes in [true, false] {
      var plan = Plan(space: Space(available: 1 << 40, block: block), includesIndexes: includes)
      plan.fetch(entry, by: .whole(url: entry.url, size: 4096), share: StagedShare(index: stored))
      #expect(plan.indexSize == size)
      #expect(plan.peakDisk == empty + 2 * block + (includes ? blocks * block : 0))
    }
  }

  @Test("estimates beyond all bounds fill every disk and never trap")
  func endless() throws {
    var plan = Plan(space: Space(available: 1 << 40, block: block), includesIndexes: true)
    let entry = try Fixture.entry("a", size: 4096, indexSize: UInt64(Int64.max))
    for _ in 0..<3 { plan.fetch(entry, by: .staged) }
    #expect(plan.indexSize == .max && plan.peakDisk == .max)
  }

  @Test("what is staged already comes for nothing but its directory")
  func staged() throws {
    var plan = plan()
    plan.fetch(try Fixture.entry("a", size: 10_000), by: .staged, share: StagedShare(file: 12_288))
    #expect(plan.full == 1 && plan.download == 0 && plan.downloadWithoutPatches == 1000 * 10)
    #expect(plan.peakDisk == empty + block)
  }
}
