import Catalog
import Crypto
import MapModel
import Platform
import Releases
import TestSupport
import Testing
import Trust

@testable import Publisher

@Suite("Pruning")
struct PruningTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  /// Publishes that many releases, each with a patch from the previous one, and hops.
  private func publish(_ count: Int, rollout: UInt64 = 100) async throws -> [CatalogEntry] {
    var entries: [CatalogEntry] = []
    var data = Maps.data(1)
    for number in 1...count {
      try scratch.write("malta/base.x", data)
      let report = try await scratch.release(
        "\(number)", patchReleases: 1, rollout: number == count ? rollout : 100)
      entries.append(try PublisherTests.component(report, id: "malta").entry)
      for index in stride(from: 0, to: data.count, by: 3000 + 100 * number) { data[index] &+= 1 }
    }
    return entries
  }

  private func patches(_ mode: Pruning.Mode = .remove) throws -> Pruning {
    try Pruning(patchesOf: Repository(opening: scratch.repository), mode: mode)
  }

  private func keep(_ count: Int, mode: Pruning.Mode = .remove) throws -> Pruning {
    var session = try scratch.session()
    return try Pruning(keeping: count, in: &session, mode: mode)
  }

  /// The files of data in the repository.
  private func files() throws -> Set<String> {
    Set(try scratch.tree().keys.filter { !$0.hasPrefix("metadata/") && !$0.hasPrefix(".") })
  }

  private func problems() throws -> [String] {
    var options = Verification.Options(now: TestRepository.now)
    options.depth = .contents
    return try Verification(of: Repository(opening: scratch.repository), options: options).problems
  }

  private func expect(_ pruning: Pruning, removed before: Set<String>) throws {
    #expect(Set(pruning.files.map(\.name)) == before.subtracting(try files()))
    #expect(pruning.files.allSatisfy { $0.size > 0 })
    #expect(try problems() == [])
  }

  @Test("patches to a release that has a newer one for everybody go, and those that the newest lists stay")
  func superseded() async throws {
    let entries = try await publish(7)
    let before = try files()
    let catalogs = try scratch.tree().filter {
      $0.key.hasPrefix("metadata/") || $0.key.hasPrefix("catalogs/")
    }
    let trial = try patches(.dryRun)
    #expect(try files() == before)
    let pruning = try patches()
    #expect(pruning == trial && pruning.withdrawn == [] && pruning.outcome == nil)
    try expect(pruning, removed: before)
    // The newest has the one from its predecessor and three hops; two older ones are left.
    #expect(entries[6].patches.count == 4)
    #expect(
      pruning.files.map(\.name).sorted() == [1, 2].map { entries[$0].patches[0].container.url }.sorted())
    #expect(
      try scratch.tree().filter { $0.key.hasPrefix("metadata/") || $0.key.hasPrefix("catalogs/") } == catalogs
    )
    #expect(try patches().files == [])
    // What is gone is not carried over, and what is there is.
    try scratch.write("malta/base.x", Maps.data(2))
    try await scratch.release("8", patchReleases: 1)
    #expect(try problems() == [])
  }

  @Test("older releases go as a whole, with whatever only they have")
  func withdrawn() async throws {
    let entries = try await publish(5)
    let device = try Device(scratch)
    #expect(try device.labels() == ["1", "2", "3", "4", "5"])
    let before = try files()
    let trial = try keep(2, mode: .dryRun)
    #expect(try files() == before && device.labels().count == 5)
    let pruning = try keep(2)
    #expect(pruning.files == trial.files && pruning.withdrawn == trial.withdrawn)
    #expect(trial.outcome == nil && pruning.outcome == .published)
    #expect(pruning.withdrawn.map(\.label) == ["1", "2", "3"])
    try expect(pruning, removed: before)
    #expect(try device.labels() == ["4", "5"])
    let left = try files()
    #expect(left.filter { $0.hasPrefix("catalogs/") }.count == 2)
    #expect(left.filter { $0.hasPrefix("components/") } == Set(entries[3...].map(\.url)))
    // Devices at releases that are gone still have their patches.
    #expect(
      entries[4].patches.count == 4 && entries[4].patches.allSatisfy { left.contains($0.container.url) })
    #expect(try keep(2).files == [] && keep(9).withdrawn == [])
  }

  @Test("a release that some devices take as their newest stays, with its patches")
  func staged() async throws {
    let entries = try await publish(4, rollout: 10)
    let pruning = try keep(1)
    #expect(pruning.withdrawn.map(\.label) == ["1", "2"])
    #expect(try problems() == [])
    let left = try files()
    #expect(entries[2].patches.allSatisfy { left.contains($0.container.url) })
  }

  @Test(
    "a release is the newest of some device until there is one for all that requires no newer application",
    arguments: [
      // Share and application of each release; which are live.
      ([(100, 0), (100, 0)], [2]), ([(100, 0), (99, 0)], [1, 2]), ([(100, 0), (0, 0)], [1, 2]),
      ([(100, 0), (100, 1)], [1, 2]), ([(100, 2), (100, 1)], [2]), ([(100, 1), (100, 1)], [2]),
      ([(100, 0), (100, 5), (100, 3)], [1, 3]), ([(50, 0), (100, 0), (10, 0)], [2, 3]),
    ] as [([(UInt64, UInt64)], [UInt64])])
  func live(releases: [(UInt64, UInt64)], expected: [UInt64]) {
    let targets = releases.enumerated().map { index, release in
      ServedRelease(
        Release(number: UInt64(index + 1), label: "\(index)"),
        catalog: CatalogReference(digest: Digest(), size: 0), minimumApplication: release.1,
        rollout: release.0)
    }
    #expect(Pruning.live(targets).map(\.number) == expected)
  }

  @Test("a release that is not in effect yet takes the place of no other")
  func notInEffect() {
    let targets = [nil, 1000].enumerated().map { index, effective in
      ServedRelease(
        Release(number: UInt64(index + 1), label: "\(index)"),
        catalog: CatalogReference(digest: Digest(), size: 0), effective: effective)
    }
    #expect(Pruning.live(targets, now: 999).map(\.number) == [1, 2])
    #expect(Pruning.live(targets, now: 1000).map(\.number) == [2])
  }

  @Test("a recalled release is kept until a newer one is for all, and takes the place of no other")
  func recalled() throws {
    var targets = (1...4).map { number in
      ServedRelease(
        Release(number: number, label: "\(number)"), catalog: CatalogReference(digest: Digest(), size: 0))
    }
    targets[2].recall = Recall(because: "x")
    #expect(Pruning.live(targets).map(\.number) == [4])
    targets[3].recall = Recall(because: "x")
    #expect(Pruning.live(targets).map(\.number) == [2, 3, 4])
    #expect(Pruning.kept(1, of: targets, served: targets).map(\.number) == [2, 3, 4])
    #expect(targets.waysBack().map { [$0.from.number, $0.to.number] } == [[3, 2], [4, 2]])
    targets[1].rollout = 50
    #expect(targets.waysBack().map { [$0.from.number, $0.to.number] } == [[3, 1], [4, 1]])
    targets.append(
      ServedRelease(Release(number: 5, label: "5"), catalog: CatalogReference(digest: Digest(), size: 0)))
    #expect(targets.waysBack().isEmpty)
    #expect(Pruning.live(targets).map(\.number) == [5])
  }

  @Test("as long as signatures are missing, devices see the old releases, and their files stay")
  func pending() async throws {
    try scratch.useOwnKeys()
    scratch.setup[.targets] = RepositorySetup.Quorum(1, of: 1)
    try scratch.initialize()
    _ = try await publish(3)
    let names = try names(scratch.store.path)
    let key = try #require(names.first { $0.hasPrefix("targets-") })
    try Directory(opening: scratch.path).rename("own.keys/\(key)", to: "elsewhere")
    let before = try files()
    let pruning = try keep(1)
    guard case .pending = pruning.outcome else {
      Issue.record("it was published without a signature")
      return
    }
    #expect(pruning.withdrawn.count == 2)
    #expect(try Device(scratch).labels().count == 3)
    #expect(try problems() == [])
    #expect(try files().filter { !$0.hasPrefix("payloads/") } == before.filter { !$0.hasPrefix("payloads/") })
  }

  @Test("what an interrupted run has left goes in the next one; what others put there stays")
  func interrupted() async throws {
    _ = try await publish(4)
    try scratch.write("readme.txt", [1], in: "repository/components")
    try scratch.write("ABC.patch", [1], in: "repository/payloads")
    let planned = try keep(1, mode: .dryRun)
    // Killed after the metadata, or in the middle of the files.
    do {
      var session = try scratch.session()
      try session.unlock([.targets, .snapshot, .timestamp])
      _ = try session.publish(session.releases().suffix(1))
    }
    let root = try Directory(opening: scratch.repository)
    for file in planned.files.prefix(3) { try root.remove(file.name) }
    #expect(try problems() == [])
    #expect(Set(try keep(1).files.map(\.name)) == Set(planned.files.dropFirst(3).map(\.name)))
    #expect(try problems() == [])
    #expect(try files().isSuperset(of: ["components/readme.txt", "payloads/ABC.patch"]))
  }
}
