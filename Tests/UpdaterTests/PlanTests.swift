import Catalog
import Crypto
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

  private func plan() -> Plan { Plan(space: Space(available: 1 << 40, block: block)) }

  @Test("an empty plan takes a generation's own files and the program's own memory")
  func nothing() {
    let plan = plan()
    #expect(plan.peakDisk == empty)
    #expect(plan.memory == Limits.ownMemory)
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

  @Test("what goes is a change that takes nothing")
  func remove() {
    var plan = plan()
    plan.remove()
    #expect(plan.removed == 1 && plan.changesAnything && plan.peakDisk == empty)
  }

  @Test(
    "a file takes its size in whole blocks, less what staging holds, and a block for its directory",
    arguments: [
      (0, 0, 0, 0), (1, 0, 1, 4096), (4096, 0, 4096, 4096), (4097, 0, 4097, 8192), (10_000, 4096, 5904, 8192),
      (10_000, 4097, 5903, 4096), (10_000, 10_000, 0, 0), (10_000, 20_000, 0, 0),
    ] as [(UInt64, UInt64, UInt64, UInt64)])
  func whole(size: UInt64, stored: UInt64, download: UInt64, disk: UInt64) throws {
    var plan = plan()
    let entry = try Fixture.entry("a", size: size, indexSize: 7)
    plan.fetch(entry, .whole(url: entry.url, size: size), stored: stored, storedContainer: 0)
    #expect(plan.full == 1 && plan.download == download && plan.fullDownload == download)
    #expect(plan.downloadWithoutPatches == size && plan.newSize == size && plan.indexSize == 7)
    #expect(plan.peakDisk == empty + disk + block)
  }

  @Test(
    "a container lies beside the file that is made of it",
    arguments: [
      (1, 0, 1, 4096), (5000, 0, 5000, 8192), (5000, 4096, 904, 4096), (5000, 5000, 0, 0), (5000, 9000, 0, 0),
    ] as [(UInt64, UInt64, UInt64, UInt64)])
  func container(size: UInt64, stored: UInt64, download: UInt64, disk: UInt64) throws {
    let container = try Fixture.container("c", size: size, memory: 123)
    let entry = try Fixture.entry("a", size: 10_000)
    for payload in [Payload.packed(container), .patch(container, from: try Fixture.installed("a"))] {
      var plan = plan()
      plan.fetch(entry, payload, stored: 0, storedContainer: stored)
      #expect(plan.download == download)
      #expect((plan.patched, plan.full) == (payload.word == "patch" ? (1, 0) : (0, 1)))
      #expect((plan.patchDownload == 0) == (payload.word == "full" || download == 0))
      #expect(plan.peakDisk == empty + 12_288 + block + disk)
      #expect(plan.memory == Limits.ownMemory + 123)
    }
  }

  @Test("containers go when they are used: the peak is the worst moment, not the sum")
  func peak() throws {
    var plan = plan()
    let entry = try Fixture.entry("a", size: 4096)
    func fetch(_ container: UInt64) throws {
      let container = try Fixture.container("c", size: container, memory: container)
      plan.fetch(entry, .packed(container), stored: 0, storedContainer: 0)
    }
    try fetch(100 * 4096)
    #expect(plan.peakDisk == empty + 2 * block + 100 * block)
    try fetch(50 * 4096)
    #expect(plan.peakDisk == empty + 2 * block + 100 * block)
    try fetch(99 * 4096)
    #expect(plan.peakDisk == empty + 6 * block + 99 * block)
    #expect(plan.memory == Limits.ownMemory + 100 * 4096)
  }

  @Test(
    "where indexes are made, the peak has their size in whole blocks, less what is staged, and a block each",
    arguments: [(0, 0, 0), (1, 0, 2), (4096, 0, 2), (10_000, 0, 4), (10_000, 4096, 3), (10_000, 20_000, 1)]
      as [(UInt64, UInt64, UInt64)])
  func indexes(size: UInt64, stored: UInt64, blocks: UInt64) throws {
    let entry = try Fixture.entry("a", size: 4096, indexSize: size)
    for includes in [true, false] {
      var plan = Plan(space: Space(available: 1 << 40, block: block), includesIndexes: includes)
      plan.fetch(
        entry, .whole(url: entry.url, size: 4096), stored: 0, storedContainer: 0, storedIndex: stored)
      #expect(plan.indexSize == size)
      #expect(plan.peakDisk == empty + 2 * block + (includes ? blocks * block : 0))
    }
  }

  @Test("estimates beyond all bounds fill every medium and trap nowhere")
  func endless() throws {
    var plan = Plan(space: Space(available: 1 << 40, block: block), includesIndexes: true)
    let entry = try Fixture.entry("a", size: 4096, indexSize: UInt64(Int64.max))
    for _ in 0..<3 { plan.fetch(entry, .staged, stored: 0, storedContainer: 0) }
    #expect(plan.indexSize == .max && plan.peakDisk == .max)
  }

  @Test("what is staged already comes for nothing but its directory")
  func staged() throws {
    var plan = plan()
    plan.fetch(try Fixture.entry("a", size: 10_000), .staged, stored: 10_000, storedContainer: 0)
    #expect(plan.full == 1 && plan.download == 0 && plan.downloadWithoutPatches == 1000 * 10)
    #expect(plan.peakDisk == empty + block)
  }
}

@Suite("Payload")
struct PayloadTests {
  /// A file of 1000 bytes, packed to 500 in 100 bytes of memory, with a patch of 50 that takes 200.
  private func entry(packed: UInt64? = 500, patch: UInt64 = 50) throws -> CatalogEntry {
    var entry = try Fixture.entry("a")
    if let packed { entry.packed = try Fixture.container("packed", size: packed, memory: 100) }
    let base = try Fixture.installed("a")
    entry.patches = [
      Patch(from: base.digest, container: try Fixture.container("patch", size: patch, memory: 200))
    ]
    return entry
  }

  @Test(
    "the payload with the fewest bytes that fits into memory is chosen",
    arguments: [
      (nil, .max, "packed"), (nil, 100, "packed"), (nil, 99, "whole"), (nil, 0, "whole"),
      ("old", .max, "patch"),
      ("old", 200, "patch"), ("old", 199, "packed"), ("old", 99, "whole"), ("older", .max, "packed"),
      ("older", 99, "whole"),
    ] as [(String?, UInt64, String)])
  func memory(version: String?, memory: UInt64, expected: String) throws {
    let installed = try version.map { try Fixture.installed("a", "base", $0) }
    #expect(kind(Payload.choose(try entry(), installed: installed, memory: memory)) == expected)
  }

  @Test(
    "a patch or a packed component that saves nothing is passed over",
    arguments: [
      (500, 500, "packed"), (500, 501, "packed"), (500, 499, "patch"), (1000, 1000, "whole"),
      (1001, 999, "patch"),
      (nil, 999, "patch"), (nil, 1000, "whole"),
    ] as [(UInt64?, UInt64, String)])
  func size(packed: UInt64?, patch: UInt64, expected: String) throws {
    let entry = try entry(packed: packed, patch: patch)
    let payload = Payload.choose(entry, installed: try Fixture.installed("a"), memory: .max)
    #expect(kind(payload) == expected)
  }

  @Test("the memory for containers is the budget without the program's own; a smaller budget leaves none")
  func budget() throws {
    let scratch = try Scratch("stager")
    let store = try Store(opening: scratch.path, for: .change)
    let entry = try entry()
    let installed = try Fixture.installed("a")
    for (budget, expected) in [(200, "patch"), (199, "packed"), (99, "whole")] as [(UInt64, String)] {
      let stager = Stager(budget: Limits.ownMemory + budget)
      #expect(kind(try stager.payload(entry, installed: installed, store.staging)) == expected)
    }
    #expect(kind(try Stager(budget: 0).payload(entry, installed: installed, store.staging)) == "whole")
    try scratch.write("staging/\(entry.digest.hex)", [UInt8](repeating: 0, count: 1000))
    #expect(try Stager(budget: 0).payload(entry, installed: nil, store.staging) == .staged)
  }

  private func kind(_ payload: Payload) -> String {
    switch payload {
    case .staged: "staged"
    case .patch: "patch"
    case .packed: "packed"
    case .whole: "whole"
    }
  }
}
