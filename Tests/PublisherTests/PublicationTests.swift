import CatalogWriting
import Crypto
import DeltaApply
import DeltaCreate
import MapModel
import PatchFormat
import Platform
import Releases
import TestSupport
import Testing
import Trust

@testable import Catalog
@testable import Publisher

@Suite("Publication")
struct PublicationTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  @Test("the first release is number 1, and everything in its catalog can be fetched")
  func first() async throws {
    try Maps.write(to: scratch)
    let report = try await scratch.release("2024")
    #expect(report.release == Release(number: 1, label: "2024"))
    #expect(report.previous == nil)
    #expect(
      report.components.map(\.entry.name.path) == [
        "europe/france/grand-est/base.gpkg", "europe/malta/base.gpkg", "europe/malta/search.sqlite",
      ])
    try checkServed()
    // The data half packs: a packed component is worth it.
    #expect(report.components.allSatisfy { $0.entry.packed != nil && $0.entry.patches.isEmpty })
  }

  @Test("the catalog names the regions, and a new name changes no component")
  func regions() async throws {
    try Maps.write(to: scratch)
    try scratch.write("europe/map.xml", "<map><name>Europe</name></map>")
    let first = try await scratch.release("1")
    try scratch.write("europe/map.xml", "<map><name>Europe</name><name xml:lang=\"de\">Europa</name></map>")
    try scratch.write("europe/france/map.xml", "<map><name>France</name></map>")
    let second = try await scratch.release("2")
    #expect(second.components.map(\.entry.digest) == first.components.map(\.entry.digest))
    let path = "\(scratch.repository)/\(second.catalog.catalogURL)"
    guard case .catalog(let document) = try Inspection(of: path) else {
      Issue.record("not a catalog")
      return
    }
    #expect(document.regions.map(\.id) == ["europe", "europe/france"])
    #expect(document.regions.first?.names.map(\.text) == ["Europe", "Europa"])
  }

  @Test("what did not change keeps its file, and what changed can be patched")
  func second() async throws {
    try Maps.write(to: scratch)
    let first = try await scratch.release("1")
    try Maps.write(to: scratch) { Maps.changed($0) }
    let second = try await scratch.release("2")
    try checkServed()
    let search = try PublisherTests.component(second, id: "europe/malta", dataGroup: "search")
    #expect(search.isUnchanged)
    #expect(
      search.entry == (try PublisherTests.component(first, id: "europe/malta", dataGroup: "search")).entry)
    #expect(search.entry.description.release == Release(number: 1, label: "1"))
    #expect(search.update == 0)

    let base = try PublisherTests.component(second, id: "europe/malta")
    let old = try PublisherTests.component(first, id: "europe/malta").entry
    #expect(base.entry.description.release == Release(number: 2, label: "2"))
    #expect(base.entry.patches.map(\.from) == [old.digest])
    let patch = try #require(base.patch)
    #expect(patch.size < 1000)
    #expect(base.update == patch.size)
    guard case .patch(let inspection) = try Inspection(of: "\(scratch.repository)/\(patch.url)") else {
      Issue.record("not a patch")
      return
    }
    #expect(inspection.headDigest == patch.head)
    #expect(inspection.head.isNew(base.entry.digest))
    #expect(inspection.head.isOld(old.digest))
  }

  @Test("patches start from as many releases as asked for, each base once")
  func window() async throws {
    var data = Maps.data(1)
    var digests: [Digest] = []
    for label in ["1", "2", "3", "4"] {
      try scratch.write("malta/base.x", data)
      digests.append(
        try PublisherTests.component(try await scratch.release(label, patchReleases: 0), id: "malta").entry
          .digest
      )
      if label != "2" { data = Maps.changed(data, every: 3000 + data.count / (digests.count + 1)) }
    }
    // Releases 2 and 3 have the same component.
    #expect(digests[1] == digests[2])
    try scratch.write("malta/base.x", data)
    let two = try PublisherTests.component(try await scratch.release("5"), id: "malta").entry
    #expect(two.patches.map(\.from) == [digests[3], digests[2]])
    try scratch.write("malta/base.x", Maps.changed(data, every: 777))
    let all = try PublisherTests.component(try await scratch.release("6", patchReleases: 64), id: "malta")
      .entry
    #expect(all.patches.map(\.from) == [two.digest, digests[3], digests[1], digests[0]])
    try checkServed()
  }

  @Test("an unchanged component keeps its patches, whatever bases they start from")
  func carried() async throws {
    let old = Maps.data(1)
    try scratch.write("malta/base.x", old)
    try scratch.write("italy/base.x", old)
    let one = try PublisherTests.component(try await scratch.release("1"), id: "malta").entry
    try scratch.write("malta/base.x", Maps.changed(old))
    let two = try PublisherTests.component(try await scratch.release("2"), id: "malta").entry
    #expect(two.patches.map(\.from) == [one.digest])
    let three = try PublisherTests.component(try await scratch.release("3"), id: "malta").entry
    #expect(three == two)
    let four = try PublisherTests.component(try await scratch.release("4"), id: "malta").entry
    #expect(four == two)  // carried over: release 1 is no longer a base
    let none = try PublisherTests.component(try await scratch.release("5", patchReleases: 0), id: "malta")
      .entry
    #expect(none.patches.isEmpty && none.packed == two.packed)
    let six = try PublisherTests.component(try await scratch.release("6", patchReleases: 5), id: "malta")
      .entry
    #expect(six == two)  // found again by its head
  }

  @Test(
    "patches of the previous release become hops, so that devices with much older releases update in small steps"
  )
  func hops() async throws {
    var data = Maps.data(1)
    var entries: [CatalogEntry] = []
    for label in ["1", "2", "3", "4", "5", "6", "7", "8"] {
      try scratch.write("malta/base.x", data)
      let entry = try PublisherTests.component(
        try await scratch.release(label, patchReleases: 1), id: "malta"
      )
      .entry
      #expect(entry.patches.first?.from == entries.last?.digest)
      #expect(entry.patches.count <= 1 + PublisherLimits.carriedPatches)
      entries.append(entry)
      data = Maps.changed(data, every: 3001 + 100 * entries.count)
    }
    let newest = entries[7]
    // The chain of four patches is the longest that a device takes.
    #expect(newest.patches.map(\.from) == [6, 5, 4, 3].map { entries[$0].digest })
    #expect(newest.patches.map { $0.to?.digest } == [nil] + [6, 5, 4].map { entries[$0].digest })
    #expect(newest.patches.map { $0.to?.size ?? newest.size } == [7, 6, 5, 4].map { entries[$0].size })
    #expect(newest.chains(from: entries[3].digest).map(\.count) == [4])
    #expect(newest.patches[1].container == entries[6].patches[0].container)
    try checkServed()
  }

  @Test("a hop is not carried over where its file is gone, or a patch does as well")
  func hopsLeftOut() async throws {
    var data = Maps.data(1)
    var entries: [CatalogEntry] = []
    for label in ["1", "2", "3"] {
      if label == "3" {
        try Directory(opening: scratch.repository).remove(entries[1].patches[0].container.url)
      }
      try scratch.write("malta/base.x", data)
      entries.append(
        try PublisherTests.component(try await scratch.release(label, patchReleases: 1), id: "malta").entry)
      data[1000 * entries.count] &+= 1
    }
    #expect(entries[2].patches.map(\.from) == [entries[1].digest])
    try scratch.write("malta/base.x", data)
    let two = try PublisherTests.component(try await scratch.release("4"), id: "malta").entry
    #expect(two.patches.map(\.from) == [entries[2].digest, entries[1].digest])
    #expect(two.patches.allSatisfy { $0.to == nil })
  }

  @Test("a component that went and came back is patched from the release that had it")
  func returned() async throws {
    try Maps.write(to: scratch)
    let one = try PublisherTests.component(try await scratch.release("1"), id: "europe/malta").entry
    try scratch.remove("europe/malta")
    let two = try await scratch.release("2", allowedRemovals: 2)
    #expect(two.gone.map(\.path) == ["europe/malta/base.gpkg", "europe/malta/search.sqlite"])
    try Maps.write(to: scratch) { Maps.changed($0) }
    let three = try PublisherTests.component(try await scratch.release("3"), id: "europe/malta")
    #expect(three.entry.patches.map(\.from) == [one.digest])
    #expect(three.update == nil)
  }

  @Test("a release that loses more components than allowed is refused before anything is written")
  func gone() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    let tree = try scratch.tree()
    try scratch.remove("europe/malta")
    var named: [String] = []
    await #expect(
      throws: PublisherError.input(
        .componentsGone(
          count: 2, allowed: 1, path: scratch.input, lost: LostPackages(["europe/malta"])))
    ) {
      _ = try await scratch.release("2", allowedRemovals: 1) {
        if case .gone(let names) = $0 { named = names.map(\.path) }
      }
    }
    #expect(named == ["europe/malta/base.gpkg", "europe/malta/search.sqlite"])
    #expect(try scratch.tree() == tree)
  }

  @Test("payloads that save nothing are not kept")
  func worthless() async throws {
    var generator = SystemRandomNumberGenerator()
    func noise() -> [UInt8] { (0..<30_000).map { _ in UInt8.random(in: 0...255, using: &generator) } }
    try scratch.write("malta/base.x", noise())
    let one = try PublisherTests.component(try await scratch.release("1"), id: "malta").entry
    #expect(one.packed == nil)
    try scratch.write("malta/base.x", noise())
    let two = try PublisherTests.component(try await scratch.release("2"), id: "malta").entry
    #expect(two.packed == nil && two.patches.isEmpty)
    #expect(try scratch.tree().keys.allSatisfy { !$0.hasPrefix("payloads/") })
  }

  @Test("a patch that was not worth it is not made again, unless it was never tried")
  func worthlessOnce() async throws {
    for (patches, isTriedAgain) in [(2, false), (0, true)] {
      let scratch = try TestRepository()
      for label in ["1", "2"] {
        // Bytes that have nothing in common, and bytes that are almost the same.
        try scratch.write("malta/base.x", Maps.data(label == "1" ? 18 : 19, size: 30_000))
        try scratch.write("rome/base.x", Maps.data(1, size: 30_000) + Array(label.utf8))
        try await scratch.release(label, patchReleases: label == "1" ? 2 : patches)
      }
      var total: UInt64 = 0
      let report = try await scratch.release("3") { if case .made(_, _, let all) = $0 { total = all } }
      let malta = try PublisherTests.component(report, id: "malta").entry
      #expect(malta.patches.isEmpty)
      #expect(try PublisherTests.component(report, id: "rome").entry.patches.isEmpty == false)
      #expect((total > 0) == isTriedAgain)
    }
  }

  @Test("three per cent for a packed component, a fifth for a patch")
  func policy() {
    #expect(PayloadPolicy.keepsPacked(970, insteadOf: 1000))
    #expect(!PayloadPolicy.keepsPacked(971, insteadOf: 1000))
    #expect(PayloadPolicy.keepsPatch(800, insteadOf: 1000))
    #expect(!PayloadPolicy.keepsPatch(801, insteadOf: 1000))
    #expect(!PayloadPolicy.keepsPatch(0, insteadOf: 0))
  }

  @Test("a ready component is published as it is")
  func ready() async throws {
    let description = Description(
      name: ComponentName(id: "asia/japan", dataGroup: "poi"), group: "Asia", country: "Japan", region: "",
      release: Release(number: 9, label: "2020"), dataSize: 3)
    let bytes = ComponentFile.front(of: description) + [1, 2, 3]
    try scratch.write("japan.dat", bytes)
    let one = try PublisherTests.component(try await scratch.release("1"), id: "asia/japan", dataGroup: "poi")
    #expect(try scratch.served(one.entry.url) == bytes)
    #expect(one.entry.description == description)
    #expect(
      try PublisherTests.component(try await scratch.release("2"), id: "asia/japan", dataGroup: "poi")
        .isUnchanged)
  }

  @Test("the same input gives the same bytes, with one job or four")
  func determinism() async throws {
    let other = try TestRepository()
    // For four at a time it would be too little to sort suffixes.
    let memory = 80 << 20
    for (scratch, jobs) in [(scratch, 1), (other, 4)] {
      for name in ["a", "b", "c", "d", "e"] {
        try scratch.write("\(name)/base.x", Maps.data(UInt64(name.utf8.first ?? 0), size: 30_000))
      }
      try Maps.write(to: scratch)
      try await scratch.release("1", jobs: jobs, memory: memory)
      try Maps.write(to: scratch) { Maps.changed($0, every: 40) }
      let report = try await scratch.release("2", jobs: jobs, memory: memory)
      #expect(report.components.allSatisfy { $0.plan?.index != .blocks })
    }
    #expect(try scratch.tree() == other.tree())
  }

  @Test("how matches were searched is reported of components whose payloads were made, and of no others")
  func plans() async throws {
    // Too little to sort suffixes.
    let memory = 1 << 20
    try Maps.write(to: scratch)
    #expect(try await scratch.release("1", memory: memory).components.allSatisfy { $0.plan != nil })
    try Maps.write(to: scratch) { Maps.changed($0) }
    let two = try await scratch.release("2", memory: memory)
    let changed = two.components.filter { $0.plan?.index == .blocks }.map(\.entry.name)
    #expect(changed.map(\.path) == ["europe/france/grand-est/base.gpkg", "europe/malta/base.gpkg"])
    // The patches of the release before are listed again.
    let three = try await scratch.release("3", memory: memory)
    #expect(three.components.contains { !$0.entry.patches.isEmpty })
    #expect(three.components.allSatisfy { $0.plan == nil })
  }

  @Test("a label must be valid, and can be used once")
  func label() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    let tree = try scratch.tree()
    #expect(await scratch.refusal("1") == .label(.inUse("1", number: 1)))
    for label in ["", "a b", ".x", "a/b"] { #expect(await scratch.refusal(label) == .label(.invalid(label))) }
    #expect(await scratch.refusal("a\u{9b}31m") == .label(.controlCharacter(codePoint: "U+009B")))
    #expect(await scratch.refusal("\u{202e}evil") == .label(.controlCharacter(codePoint: "U+202E")))
    #expect(await scratch.refusal("a\u{1b}[31m") == .label(.controlCharacter(codePoint: "U+001B")))
    #expect(try scratch.tree() == tree)
  }

  @Test("the space is checked before anything is written")
  func space() throws {
    let space = Space(available: 10 << 20, block: 4096)
    let small = SpaceEstimate(new: [1], changed: [1], jobs: 1, space: space)
    #expect(small.needed == 8 << 20 + 3 * 4096)
    try small.check(space, path: "repository")
    let large = SpaceEstimate(new: [2 << 20], changed: [1 << 20], jobs: 4, space: space)
    #expect(throws: PublisherError.repository(.noSpace(path: "r", needed: 12 << 20, available: 10 << 20))) {
      try large.check(space, path: "r")
    }
    #expect(SpaceEstimate(new: [.max, .max], changed: [], jobs: 1, space: space).needed == .max)
  }

  /// Everything that the newest catalog names is there, and is what it says.
  private func checkServed() throws {
    let repository = try Repository(opening: scratch.repository)
    let served = try #require(try repository.releases().last)
    for entry in try repository.catalog(of: served).entries {
      let found = try FileDigest.of("\(scratch.repository)/\(entry.url)")
      #expect(found == FileDigest(size: entry.size, digest: entry.digest))
      let own = entry.patches.filter { $0.to == nil }
      for container in [entry.packed].compactMap({ $0 }) + own.map(\.container) {
        guard case .patch(let patch) = try Inspection(of: "\(scratch.repository)/\(container.url)") else {
          Issue.record("not a patch")
          return
        }
        #expect(patch.headDigest == container.head)
        #expect(patch.size == container.size)
        #expect(patch.head.isNew(entry.digest))
      }
    }
    #expect(try scratch.tree().keys.allSatisfy { !$0.hasPrefix(".work") })
  }
}
