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
  private func write(_ seed: UInt64 = 1, to folder: String? = nil) throws {
    try scratch.write("malta/base.x", Maps.data(seed, size: 300_001), in: folder ?? "input")
    try scratch.write("malta/search.x", Maps.data(seed, size: 20_000), in: folder ?? "input")
  }

  private func release(
    _ label: String, in root: String? = nil, isSharing: Bool = true
  ) async throws -> ReleaseReport {
    let root = root ?? scratch.path
    try scratch.initialize("\(root)/repository")
    var options = Publication.Options { TestRepository.now }
    options.sharesInput = isSharing
    let publication = try Publication(
      of: "\(root)/input", label: label, in: try Repository(opening: "\(root)/repository"), options: options)
    return try await publication.run(signing: scratch.store)
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
      try InputScanner.scan(InputSource(directory: scratch.input), release: Release(number: 1, label: "1"))
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

  @Test("where blocks cannot be shared, components are copied, and the release is the same")
  func fallback() async throws {
    // No file system shares blocks with another one, such as that of a memory file.
    guard try Directory(opening: "/dev/shm").space() != Directory(opening: scratch.path).space() else {
      return
    }
    let memory = try Scratch("reflink", in: "/dev/shm")
    let report = try await release("1")
    try memory.write("input/malta/base.x", Maps.data(1, size: 300_001))
    try memory.write("input/malta/search.x", Maps.data(1, size: 20_000))
    var options = Publication.Options { TestRepository.now }
    options.sharesInput = true
    try scratch.initialize("\(scratch.path)/other")
    let other = try await Publication(
      of: "\(memory.path)/input", label: "1", in: try Repository(opening: "\(scratch.path)/other"),
      options: options
    ).run(signing: scratch.store)
    #expect(other.components.allSatisfy { $0.storage == .copied })
    #expect(other.components.map(\.entry) == report.components.map(\.entry))
  }

  @Test(
    "on Btrfs a release takes no space for its components, and the input may change afterwards",
    .enabled(if: BtrfsVolume.isPossible, "takes root, and apt-get install btrfs-progs"))
  func sharing() async throws {
    let volume = try BtrfsVolume(megabytes: 128)
    let root = "\(volume.path)"
    try Directory(opening: root).makeDirectory("input")
    try Directory(opening: root).makeDirectory("input/malta")
    let size = 32 << 20
    // Not compressible, so that the payloads take no space either: none is worthwhile.
    var generator = SeededGenerator(7)
    var data = (0..<size / 8).flatMap { _ in
      let word = generator.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    try File(opening: "\(root)/input/malta/base.x", to: .replace).write(data.span.bytes)
    try Directory(opening: root).synchronizeFileSystem()
    // The file once more would not fit, as the estimate says.
    let before = try Directory(opening: root).space().available
    #expect(before < UInt64(3 * size))

    let report = try await release("1", in: root)
    let entry = try component(report, id: "malta").entry
    #expect(report.components.map(\.storage) == [.shared])
    try Directory(opening: root).synchronizeFileSystem()
    let after = try Directory(opening: root).space().available
    #expect(before - after < UInt64(size / 4))
    #expect(try Directory(opening: "\(root)/repository").status(of: ".work") == nil)

    data[size / 2] ^= 1
    try File(opening: "\(root)/input/malta/base.x", to: .update).write(data.span.bytes)
    #expect(try FileDigest.of("\(root)/repository/\(entry.url)").digest == entry.digest)
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
