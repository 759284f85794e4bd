import Catalog
import Crypto
import MapTestSupport
import MapTree
import Store
import TestSupport
import Testing

@testable import InPlace
@testable import Updater

@Suite("Payload")
struct PayloadTests {
  /// A file of 1000 bytes, packed to 500 in 100 bytes of memory, with a patch of 50 that takes 200.
  private func entry(packed: UInt64? = 500, patch: UInt64? = 50) throws -> CatalogEntry {
    var entry = try Fixture.entry("a")
    if let packed { entry.packed = try Fixture.container("packed", size: packed, memory: 100) }
    if let patch { entry.patches = [try self.patch("old", size: patch, memory: 200)] }
    return entry
  }

  /// A patch from a version of the component, to another one of that many bytes or to the entry's own file.
  private func patch(
    _ from: String, to: String? = nil, toSize: UInt64 = 1000, size: UInt64, memory: UInt64 = 200
  ) throws -> Patch {
    Patch(
      from: try Fixture.installed("a", "base", from).digest,
      to: try to.map { Intermediate(digest: try Fixture.installed("a", "base", $0).digest, size: toSize) },
      container: try Fixture.container("\(from)-\(to ?? "new")", size: size, memory: memory))
  }

  private func options(
    _ entry: CatalogEntry, from version: String? = "old", memory: UInt64 = .max,
    without missing: [Container] = []
  ) throws -> PayloadOptions {
    let installed = try version.map { try Fixture.installed("a", "base", $0) }
    return PayloadOptions(entry, installed: installed, memory: memory, without: missing.map { $0.head })
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
    #expect(kind(try options(try entry(), from: version, memory: memory).cheapest) == expected)
  }

  @Test(
    "a patch or a packed component that saves nothing is passed over",
    arguments: [
      (500, 500, "packed"), (500, 501, "packed"), (500, 499, "patch"), (1000, 1000, "whole"),
      (1001, 999, "patch"),
      (nil, 999, "patch"), (nil, 1000, "whole"),
    ] as [(UInt64?, UInt64, String)])
  func size(packed: UInt64?, patch: UInt64, expected: String) throws {
    #expect(kind(try options(try entry(packed: packed, patch: patch)).cheapest) == expected)
  }

  @Test(
    "a chain is chosen where it takes fewer bytes than one patch and than all",
    arguments: [
      // The one patch, the two of the chain; what is chosen.
      (nil, 10, 20, "chain"), (30, 10, 20, "patch"), (31, 10, 20, "chain"), (29, 10, 20, "patch"),
      (nil, 250, 250, "packed"), (nil, 250, 249, "chain"), (600, 300, 250, "packed"),
    ] as [(UInt64?, UInt64, UInt64, String)])
  func chain(direct: UInt64?, first: UInt64, second: UInt64, expected: String) throws {
    var entry = try entry(patch: direct)
    entry.patches += [try patch("old", to: "middle", size: first), try patch("middle", size: second)]
    let options = try options(entry)
    #expect(kind(options.cheapest) == expected)
    #expect(options.patch?.size == direct && options.chain.download == first + second)
    #expect(options.full.download == 500)
  }

  @Test(
    "a chain that writes more than two files' worth of intermediates is passed over",
    arguments: [
      (2000, 0, 0, "chain"), (2001, 0, 0, "packed"), (1000, 1000, 1000, "chain"), (1000, 1001, 1000, "chain"),
    ]
      as [(UInt64, UInt64, UInt64, String)])
  func writes(one: UInt64, two: UInt64, alternative: UInt64, expected: String) throws {
    var entry = try entry(patch: nil)
    if two == 0 {
      entry.patches = [try patch("old", to: "middle", toSize: one, size: 1), try patch("middle", size: 1)]
    } else {
      entry.patches = [
        try patch("old", to: "one", toSize: one, size: 1), try patch("one", to: "two", toSize: two, size: 1),
        try patch("two", size: 1),
        // Costs more on the wire, and writes less.
        try patch("old", to: "two", toSize: two, size: 50),
      ]
    }
    let options = try options(entry)
    #expect(kind(options.cheapest) == expected)
    guard expected == "chain" else { return }
    #expect(options.chain.intermediates <= 2000)
    #expect(options.chain.count == (two > 1000 || two == 0 ? 2 : 3))
  }

  @Test("each patch of a chain has to fit into memory, and to be served")
  func admission() throws {
    var entry = try entry(patch: nil)
    let chain = [
      try patch("old", to: "middle", size: 1, memory: 300), try patch("middle", size: 1, memory: 400),
    ]
    entry.patches = chain
    #expect(kind(try options(entry, memory: 400).cheapest) == "chain")
    #expect(try options(entry, memory: 400).cheapest.memory == 400)
    #expect(kind(try options(entry, memory: 399).cheapest) == "packed")
    for patch in chain { #expect(kind(try options(entry, without: [patch.container]).cheapest) == "packed") }
  }

  @Test("what the server has lost is left out, until only the file itself is left")
  func missing() throws {
    var entry = try entry(patch: 90)
    entry.patches += [try patch("old", to: "middle", size: 1), try patch("middle", size: 1)]
    var missing: [Container] = []
    var kinds: [String] = []
    for container in [entry.patches[1].container, entry.patches[0].container, entry.packed] {
      kinds.append(kind(try options(entry, without: missing).cheapest))
      missing.append(try #require(container))
    }
    #expect(
      kinds + [kind(try options(entry, without: missing).cheapest)] == ["chain", "patch", "packed", "whole"])
  }

  @Test("the steps of a chain lead from the installed component over each intermediate to the new one")
  func steps() throws {
    var entry = try entry(patch: nil)
    entry.patches = [try patch("old", to: "middle", toSize: 70, size: 1), try patch("middle", size: 2)]
    let installed = try Fixture.installed("a")
    let own = Intermediate(digest: entry.digest, size: entry.size)
    let middle = try #require(entry.patches[0].to)
    #expect(
      try options(entry).cheapest.steps(to: entry) == [
        PayloadStep(container: entry.patches[0].container, target: middle, base: .installed(installed)),
        PayloadStep(container: entry.patches[1].container, target: own, base: .made(middle)),
      ])
    #expect(Payload.whole(url: "", size: 1).steps(to: entry) == [] && Payload.staged.steps(to: entry) == [])
  }

  @Test("the memory for containers is the budget without the program's own; a smaller budget leaves none")
  func budget() throws {
    let scratch = try Scratch("stager")
    let store = try LockedStore(opening: scratch.path)
    let entry = try entry()
    let installed = try Fixture.installed("a")
    for (budget, expected) in [(200, "patch"), (199, "packed"), (99, "whole")] as [(UInt64, String)] {
      let stager = try stager(budget: UpdateLimits.ownMemory + budget)
      #expect(kind(stager.options(for: entry, installed: installed).cheapest) == expected)
    }
    #expect(kind(try stager(budget: 0).options(for: entry, installed: installed).cheapest) == "whole")
    try scratch.write("staging/\(entry.digest.hex)", [UInt8](repeating: 0, count: 1000))
    let stager = try stager(budget: 0)
    let payload = try stager.payload(
      for: entry, options: stager.options(for: entry, installed: nil), in: store.reading.staging)
    #expect(payload == .staged)
  }

  /// What a run with this memory budget chooses payloads by.
  private func stager(budget: UInt64) throws -> Stager {
    var configuration = Configuration()
    configuration.memoryBudget = budget
    let (heartbeat, events) = (Heartbeat(), ActivityPublisher("", echo: nil) { _ in })
    return Stager(
      memory: configuration.containerMemory, unusable: [],
      repository: try Repository(configuration, heartbeat: heartbeat, events: events), events: events,
      heartbeat: heartbeat)
  }

  private func kind(_ payload: Payload) -> String {
    switch payload {
    case .packed: "packed"
    case .whole: "whole"
    case .staged, .patch, .chain: payload.method
    }
  }
}
