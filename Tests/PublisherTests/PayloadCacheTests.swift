import Crypto
import DeltaCreate
import Platform
import TestSupport
import Testing

@testable import Catalog
@testable import Publisher

/// Payloads that no release lists yet, and notes that others are not worthwhile.
@Suite("Payload cache")
struct PayloadCacheTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  /// Noise does not pack, and has no patch to other noise.
  private static func noise(_ seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed)
    return (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  private var made: [String] {
    get throws { try scratch.tree().keys.filter { $0.hasPrefix(".made/") }.sorted() }
  }

  @Test("a release that fails late leaves its payloads, and given again does not make them again")
  func reused() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    try Maps.write(to: scratch) { Maps.changed($0) }
    let session = try scratch.session()
    let before = session.served.releases
    _ = consume session
    // The releases change while it is made.
    var isChanged = false
    let failure = await #expect(throws: PublisherError.self) {
      try await scratch.release("2") { event in
        guard case .made = event, !isChanged else { return }
        isChanged = true
        do throws(PublisherError) {
          var session = try scratch.session()
          _ = try session.publish([])
        } catch { Issue.record("\(error.sentence)") }
      }
    }
    #expect(failure == .repository(.releasesChanged(path: scratch.repository)))
    let left = try made
    #expect(left.count == 4)  // two patches, two packed components
    var session2 = try scratch.session()
    _ = try session2.publish(before)
    _ = consume session2
    // What is found was not made: that has no figures.
    let report = try await scratch.release("2")
    #expect(report.components.allSatisfy { $0.plan == nil })
    #expect(try made == [])
    #expect(try !names(scratch.repository).contains(".made"))
  }

  @Test("a payload that is not worthwhile is noted, and not tried again in later releases")
  func noted() async throws {
    try scratch.write("malta/base.x", PayloadCacheTests.noise(1))
    let first = try await scratch.release("1", patchReleases: 3)
    #expect(first.components[0].plan != nil && first.components[0].entry.packed == nil)
    let note = try #require(try made.first)
    #expect(try made.count == 1)
    #expect(note.hasPrefix(".made/2/\(first.components[0].entry.digest.hex)-packed-"))
    try scratch.write("malta/base.x", PayloadCacheTests.noise(2))
    let second = try await scratch.release("2", patchReleases: 3)
    #expect(second.components[0].entry.patches == [])
    // Of the packed form, and of the patch; that of the first component is gone.
    #expect(try made.count == 2)
    #expect(try made.allSatisfy { $0.hasPrefix(".made/3/\(second.components[0].entry.digest.hex)-") })
    try scratch.write("italy/base.x", Maps.data(3))
    try await scratch.release("3", patchReleases: 3)
    // The base of the patch is two releases back now, and no rule but the note says that it is not worthwhile.
    let fourth = try await scratch.release("4", patchReleases: 3)
    #expect(try component(fourth, id: "malta").plan == nil)
    #expect(try made.count == 2)
  }

  @Test("without its note, the same payload is tried again")
  func forgotten() async throws {
    for (label, seed) in [("1", 1), ("2", 2)] {
      try scratch.write("malta/base.x", PayloadCacheTests.noise(UInt64(seed)))
      try await scratch.release(label, patchReleases: 3)
    }
    try scratch.write("italy/base.x", Maps.data(3))
    try await scratch.release("3", patchReleases: 3)
    try Directory(opening: scratch.repository).removeTree(".made")
    let fourth = try await scratch.release("4", patchReleases: 3)
    #expect(try component(fourth, id: "malta").plan != nil)
  }

  @Test("payloads are told apart by what the plan decides, and not by the bytes of the memory limit")
  func plans() throws {
    let digest = try Hasher.digest(of: [1].span.bytes)
    let made = PayloadCache(for: 1)
    func name(limit: Int, size: Int = 60_000) throws -> String {
      try made.name(.init(old: nil, new: digest, plan: .choose(old: size, new: size, limit: limit)))
    }
    let gigabyte = 1 << 30
    #expect(try name(limit: gigabyte) == name(limit: gigabyte + 1))
    #expect(try name(limit: gigabyte) == name(limit: gigabyte + gigabyte / 9))
    #expect(try name(limit: gigabyte) != name(limit: 2 * gigabyte))
    // More than everything that a small file can have makes no difference.
    #expect(try name(limit: 4 * gigabyte) == name(limit: .max))
    #expect(try name(limit: 8 * gigabyte, size: 1 << 31) != name(limit: 16 * gigabyte, size: 1 << 31))
    #expect(try name(limit: 1 << 26) != name(limit: gigabyte))
    #expect(
      try name(limit: gigabyte).utf8.count == ".made/1/".utf8.count + 64 + 1 + "packed".utf8.count + 1 + 16)
  }

  @Test("a release says how many payloads were made in another way, and makes them again")
  func unused() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    try Maps.write(to: scratch) { Maps.changed($0) }
    var options = Publication.Options { TestRepository.now }
    options.memory = 1 << 26
    let jobs = "\(scratch.path)/jobs"
    let plan = try await Publication(
      of: .files(scratch.input), label: "2", in: try Repository(opening: scratch.repository), options: options
    ).jobList()
    try plan.write(to: OutputPath(file: jobs, inputs: []), ninja: nil)
    for index in 0..<2 { _ = try JobRun(JobFile.job(index, of: jobs), of: jobs).run(waitingFor: 0) }
    var warnings: [ReleaseWarning] = []
    let report = try await scratch.release("2") { event in
      if case .warned(let more) = event { warnings += more }
    }
    #expect(warnings == [.unusedPayloads(2, path: "\(scratch.repository)/.made/2")])
    #expect(report.components.contains { $0.plan != nil })
  }

  @Test(
    "a file that is neither a payload nor a whole note counts as nothing",
    arguments: [
      "", "not worthwhile", "not worthwhilE\n", String(repeating: "\0", count: 15),
      String(repeating: "x", count: 500),
    ])
  func damaged(text: String) async throws {
    try scratch.write("malta/base.x", PayloadCacheTests.noise(1))
    try await scratch.release("1")
    let name = try #require(try made.first)
    let made = PayloadCache(for: 2)
    let digest = try #require(Digest(hex: String(name.dropFirst(".made/2/".count).prefix(64))))
    let workspace = try Workspace(Repository(opening: scratch.repository))
    let size = try scratch.served("components/\(digest.hex).dat").count
    let recipe = PayloadCache.Recipe(old: nil, new: digest, plan: .choose(old: 0, new: size, limit: .max))
    #expect(try made.find(recipe, in: workspace) == .notWorthwhile)
    try scratch.write(name, Array(text.utf8), in: "repository")
    #expect(try made.find(recipe, in: workspace) == nil)
  }

  @Test("what was made for a release that is not the next one is removed, by the next release")
  func stale() async throws {
    try scratch.write("malta/base.x", PayloadCacheTests.noise(1))
    try await scratch.release("1")
    for folder in ["1", "3", "x"] { try scratch.write("\(folder)/a", [1], in: "repository/.made") }
    try await scratch.release("2")
    let note = try made
    #expect(note.count == 1 && note.allSatisfy { $0.hasPrefix(".made/3/") })
  }

  @Test("pruning removes payloads that were made for the next release, and keeps notes")
  func pruned() async throws {
    try scratch.write("malta/base.x", PayloadCacheTests.noise(1))
    try await scratch.release("1")
    let note = try made
    try scratch.write("x.patch", [1, 2, 3], in: "repository/.made/2")
    let pruning = try Pruning(patchesOf: Repository(opening: scratch.repository), mode: .remove)
    #expect(pruning.files.map(\.name) == [".made/2/x.patch"])
    #expect(pruning.files.map(\.folder) == ["payloads"] && pruning.files.map(\.size) == [3])
    #expect(try made == note)
  }
}
