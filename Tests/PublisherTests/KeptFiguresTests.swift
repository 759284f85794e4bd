import Crypto
import DeltaTestSupport
import MapModel
import Platform
import Reporting
import TestSupport
import Testing

@testable import Catalog
@testable import Publisher

@Suite("Kept figures")
struct KeptFiguresTests {
  private let scratch: TestRepository
  private var repository: Repository { get throws { try Repository(opening: scratch.repository) } }

  init() throws { scratch = try TestRepository() }

  /// The input of a release: streams that cannot be rebuilt, and a map that changes in a few places.
  private func write(_ edition: UInt8) throws {
    var random = SeededGenerator(7)
    let streams = (0..<3).map { _ in storedStream([edition] + random.bytes(4500, values: 20)) }
    try scratch.write("malta/tiles.x", streams.flatMap { $0 })
    try scratch.write("malta/base.x", Maps.changed(Maps.data(1), every: 4000 + Int(edition)))
  }

  private func publish(_ releases: ClosedRange<UInt8>) async throws {
    for release in releases {
      try write(release)
      try await scratch.release("\(release)")
    }
  }

  private func report() async throws -> Report {
    try await Survey(of: try repository, jobs: 2, memory: .max).run()
  }

  /// Makes the payloads of the second release as jobs.
  private func work() async throws {
    let options = Publication.Options { TestRepository.now }
    let file = "\(scratch.path)/jobs"
    let plan = try await Publication(
      of: .files(scratch.input), label: "2", in: try repository, options: options
    )
    .jobList()
    try plan.write(to: OutputPath(file: file, inputs: []), ninja: nil)
    for index in plan.jobs.indices { _ = try JobRun(try JobFile.job(index, of: file), of: file).run() }
  }

  private var kept: [String] {
    get throws { try scratch.tree().keys.filter { $0.hasPrefix(".figures/") }.sorted() }
  }

  /// The patches of the newest release from the one before it.
  private func patches() throws -> [Container] {
    let releases = try repository.releases()
    let (old, new) = (
      try repository.catalog(of: releases[releases.count - 2]),
      try repository.catalog(of: releases[releases.count - 1])
    )
    return new.entries.compactMap { entry in
      old[entry.name].flatMap { entry.patch(from: $0.digest)?.container }
    }
  }

  @Test("a release keeps the figures of its largest patches, and a report without them finds out the same")
  func same() async throws {
    try await publish(1...3)
    #expect(try kept.count == 4)
    #expect(try Set(patches().map { ".figures/\($0.head.hex)" }).isSubset(of: kept))
    let first = try await report()
    let streams = first.releases[0].details?.largest.compactMap { $0.patch?.deflateStreams.notRebuilt }
    #expect(streams?.map(\.otherEncoder.count).sorted() == [0, 3])
    try Directory(opening: scratch.repository).removeTree(".figures")
    #expect(try await report() == first)
    // It only reads.
    #expect(try kept == [])
  }

  @Test("a report believes figures that are whole, and finds out again what is damaged or of something else")
  func damaged() async throws {
    try await publish(1...2)
    let whole = try await report()
    let name = try #require(try kept.first)
    let text = String(decoding: try scratch.served(name), as: UTF8.self)
    try scratch.write(
      name, Array(text.replacing("\"packedSize\":", with: "\"packedSize\":9").utf8), in: "repository")
    #expect(try await report() != whole)
    let copies = "\"name\":\"copies\""
    for damaged in [
      "", "{}", "rubbish", String(text.dropLast(2)), text.replacing("\"format\":1", with: "\"format\":2"),
      text.replacing(copies, with: "\"name\":\"runs\""), text.replacing(copies, with: "\"name\":\"x\""),
      text.replacing("\"size\":", with: "\"size\":-"), text + String(repeating: " ", count: 16 << 10),
    ] {
      #expect(damaged != text)
      try scratch.write(name, Array(damaged.utf8), in: "repository")
      #expect(try await report() == whole)
    }
    try Directory(opening: scratch.repository).remove(name)
    try Directory(opening: scratch.repository).makeDirectory(name)
    #expect(try await report() == whole)
  }

  @Test("what jobs and interrupted releases found out of streams is kept, too")
  func jobs() async throws {
    try await publish(1...1)
    try write(2)
    try await work()
    let streams = try scratch.tree().filter { $0.key.hasPrefix(".made/") && $0.key.hasSuffix(".streams") }
    // Of the packed form and of the patch.
    #expect(streams.count == 2)
    let report = try await scratch.release("2")
    #expect(report.components.allSatisfy { $0.plan == nil })
    let kept = try kept
    let whole = try await self.report()
    #expect(kept.count == 2)
    try Directory(opening: scratch.repository).removeTree(".figures")
    #expect(try await self.report() == whole)
  }

  @Test("a damaged note of a job about streams keeps nothing, and a report finds it out")
  func damagedNote() async throws {
    try await publish(1...1)
    try write(2)
    try await work()
    for name in try scratch.tree().keys where name.hasSuffix(".streams") {
      try scratch.write(name, [0x7b], in: "repository")
    }
    try await scratch.release("2")
    #expect(try kept.count == 1)
    let streams = try await report().releases[0].details?.largest.compactMap {
      $0.patch?.deflateStreams.notRebuilt
    }
    #expect(streams?.map(\.otherEncoder.count).sorted() == [0, 3])
  }

  @Test("prune removes the figures of patches that it removes, and of those that are gone")
  func pruned() async throws {
    try await publish(1...3)
    try scratch.write("x", [1], in: "repository/.figures")
    _ = try Pruning(patchesOf: try repository, mode: .dryRun)
    #expect(try kept.count == 5)
    #expect(try !Pruning(patchesOf: try repository, mode: .remove).files.isEmpty)
    let left = try kept
    let payloads = try names("\(scratch.repository)/payloads")
    #expect(left.count == 2)
    for name in left { #expect(payloads.contains("\(name.dropFirst(".figures/".count)).patch")) }
  }
}
