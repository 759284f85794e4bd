import CatalogWriting
import Glibc
import Platform
import TestSupport
import Testing

@testable import Catalog
@testable import MapModel
@testable import Publisher

/// Components that share blocks with the files of the input.
@Suite("Reflink")
struct ReflinkTests {
  private let scratch: TestRepository

  init() throws {
    scratch = try TestRepository()
    try write()
  }

  /// A map that is large enough, and one that is not.
  private func write(_ seed: UInt64 = 1) throws {
    try scratch.write("malta/base.x", Maps.data(seed, size: 300_001))
    try scratch.write("malta/search.x", Maps.data(seed, size: 20_000))
  }

  private func publication(
    _ label: String, of input: String? = nil, in repository: String? = nil, isSharing: Bool = true
  ) throws -> Publication {
    let repository = repository ?? scratch.repository
    try scratch.initialize(repository)
    var options = Publication.Options { TestRepository.now }
    options.sharesInput = isSharing
    options.form = .dat
    return try Publication(
      of: .files(input ?? scratch.input), label: label, in: try Repository(opening: repository),
      options: options)
  }

  private func release(_ label: String, isSharing: Bool = true) async throws -> ReleaseReport {
    try await publication(label, isSharing: isSharing).run(signing: scratch.store)
  }

  @Test("the data of a large component begin with a block, and devices can read it")
  func alignment() async throws {
    let report = try await release("1")
    let base = try component(report, id: "malta").entry
    #expect(base.size == 4096 + 300_001)
    let path = "\(scratch.repository)/\(base.url)"
    #expect(try ComponentFile.read(File(opening: path)).dataOffset == 4096)
    #expect(try scratch.served(base.url).suffix(300_001).elementsEqual(Maps.data(1, size: 300_001)))
    let search = try component(report, id: "malta", dataGroup: "search").entry
    #expect(search.size == UInt64(ComponentFile.front(of: search.description).count) + 20_000)
    #expect(try scratch.problems().isEmpty)
  }

  @Test(
    "what did not change keeps its file, whether it was to share blocks or not", arguments: [true, false])
  func unchanged(_ wasSharing: Bool) async throws {
    let first = try await release("1", isSharing: wasSharing)
    let second = try await release("2", isSharing: !wasSharing)
    #expect(second.components.map(\.entry.digest) == first.components.map(\.entry.digest))
    #expect(second.components.allSatisfy { $0.storage == .present })
    try write(2)
    let third = try await release("3", isSharing: !wasSharing)
    let size = try component(third, id: "malta").entry.size
    #expect((size == 4096 + 300_001) == !wasSharing)
    #expect(third.components.allSatisfy { !$0.isUnchanged })
    #expect(try scratch.problems().isEmpty)
  }

  @Test("an entry that is smaller than its data is not the previous component")
  func impossible() async throws {
    let input = try #require(
      try InputScanner.scan(
        InputSource(directory: scratch.input), release: Release(number: 1, label: "1"), form: .dat
      )
      .components.first)
    let release = Release(number: 1, label: "1")
    let first = try HashedComponent(input, previous: nil, release: release)
    for size in [first.input.description.dataSize - 1, 1 << 50] {
      let entry = CatalogEntry(
        description: first.description, url: first.url, size: size, digest: first.digest)
      #expect(
        try HashedComponent(input, previous: entry, release: Release(number: 2, label: "2")).digest
          != first.digest)
    }
  }

  @Test(
    "from another file system components are copied, and the release is the same",
    .enabled(if: BtrfsVolume.isPossible, "takes root, and apt-get install btrfs-progs"))
  func fallback() async throws {
    let volume = try BtrfsVolume(megabytes: 128)
    let copied = try await publication("1", in: "\(volume.path)/copied").run(signing: scratch.store)
    #expect(copied.components.map(\.storage) == [.copied, .copied])
    try volume.write("input/malta/base.x", Maps.data(1, size: 300_001))
    try volume.write("input/malta/search.x", Maps.data(1, size: 20_000))
    let shared = try await publication("1", of: "\(volume.path)/input", in: "\(volume.path)/shared")
      .run(signing: scratch.store)
    #expect(shared.components.map(\.storage) == [.shared, .copied])
    #expect(shared.components.map(\.entry) == copied.components.map(\.entry))
  }

  @Test(
    "a single file that cannot share blocks is copied",
    .enabled(if: BtrfsVolume.isPossible, "takes root, and apt-get install btrfs-progs"))
  func single() throws {
    let volume = try BtrfsVolume(megabytes: 128)
    let release = Release(number: 1, label: "1")
    let input = try #require(
      try InputScanner.scan(InputSource(directory: scratch.input), release: release).components.first)
    let component = try HashedComponent(input, previous: nil, release: release, isAligned: true)
    #expect(component.isShareable)
    try scratch.initialize("\(volume.path)/repository")
    let repository = try Repository(opening: "\(volume.path)/repository")
    try Workspace.make(try repository.open())
    let workspace = try Workspace(repository)
    #expect(try workspace.store(component, isSharing: true) == .copied)
    #expect(try FileDigest.of(workspace.path(of: component.url)).digest == component.digest)
  }

  @Test(
    "on Btrfs a release takes no space for its components, and the input may change afterwards",
    .enabled(if: BtrfsVolume.isPossible, "takes root, and apt-get install btrfs-progs"))
  func sharing() async throws {
    let volume = try BtrfsVolume(megabytes: 128)
    let (input, repository) = ("\(volume.path)/input", "\(volume.path)/repository")
    let size = 32 << 20
    // Not compressible, so that the payloads take no space either: none is worthwhile.
    var generator = SeededGenerator(7)
    var data = (0..<size / 8).flatMap { _ in
      let word = generator.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    try volume.write("input/malta/base.x", data)
    try Directory(opening: volume.path).synchronizeFileSystem()
    // By the estimate, a copy would not fit.
    let before = try Directory(opening: volume.path).space().available
    #expect(before < UInt64(3 * size))
    await #expect(throws: PublisherError.self) {
      try await publication("1", of: input, in: repository, isSharing: false).preview()
    }
    let sharing = try publication("1", of: input, in: repository)
    let preview = try await sharing.preview()
    #expect(preview.space < before)
    #expect(try Directory(opening: repository).status(of: ".work") == nil)

    let report = try await sharing.run(signing: scratch.store)
    let entry = try component(report, id: "malta").entry
    #expect(report.components.map(\.storage) == [.shared])
    try Directory(opening: volume.path).synchronizeFileSystem()
    let after = try Directory(opening: volume.path).space().available
    #expect(before - after < UInt64(size / 4))
    #expect(try Directory(opening: repository).status(of: ".work") == nil)

    data[size / 2] ^= 1
    try volume.write("input/malta/base.x", data)
    #expect(try FileDigest.of("\(repository)/\(entry.url)").digest == entry.digest)
  }
}

/// A Btrfs file system of its own, mounted for as long as this object lives.
private final class BtrfsVolume {
  private let scratch: Scratch
  var path: String { "\(scratch.path)/volume" }

  /// Mounting is the administrator's business.
  static let isPossible: Bool = {
    guard getuid() == 0 else { return false }
    do { return try !BtrfsVolume(megabytes: 128).path.isEmpty } catch { return false }
  }()

  func write(_ name: String, _ bytes: [UInt8]) throws { try scratch.write("volume/\(name)", bytes) }

  private struct Unmet: Error { let outcome: ChildProcess.Outcome }

  init(megabytes: Int) throws {
    scratch = try Scratch("btrfs")
    try scratch.makeDirectory("volume")
    let image = "\(scratch.path)/image"
    try File(opening: image, to: .replace).truncate(to: UInt64(megabytes) << 20)
    try BtrfsVolume.run("mkfs.btrfs", "-q", "-f", "-M", "-m", "single", image)
    try BtrfsVolume.run("mount", "-o", "loop", image, path)
  }

  deinit { do { try BtrfsVolume.run("umount", path) } catch {} }

  private static func run(_ words: String...) throws {
    let outcome = try ChildProcess.run(words[0], Array(words.dropFirst()))
    guard outcome.status == 0 else { throw Unmet(outcome: outcome) }
  }
}
