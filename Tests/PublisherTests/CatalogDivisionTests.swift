import Catalog
import CatalogWriting
import Crypto
import Glibc
import MapModel
import Platform
import Releases
import TestSupport
import Testing

@testable import Publisher

/// How a large catalog is divided into parts, and written.
@Suite("Catalogs in parts")
struct CatalogDivisionTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  private func units(_ ids: [String], size: Int = 1500) -> [CatalogDivision.Unit] {
    ids.sorted().map { .init(first: "\($0)", last: "\($0)", size: size) }
  }

  /// The first ids of the parts.
  private func beginnings(_ units: [CatalogDivision.Unit]) throws -> [String] {
    let parts = try CatalogDivision.parts(of: units)
    #expect(parts.first?.lowerBound == 0 && parts.last?.upperBound == units.count)
    for (part, next) in zip(parts, parts.dropFirst()) { #expect(part.upperBound == next.lowerBound) }
    for part in parts {
      let size = units[part].reduce(0) { $0 + $1.size }
      #expect(size <= CatalogDivision.partSize || part.count == 1)
      let isTail =
        part.upperBound == units.count || large(units[part.upperBound]) != large(units[part.lowerBound])
      #expect(size >= CatalogDivision.partSize / 4 || isTail || part.count == 1)
    }
    return parts.map { units[$0.lowerBound].first.text }
  }

  /// The region of a unit of these tests, all of which are larger than a part; nil without regions.
  private func large(_ unit: CatalogDivision.Unit) -> PackageID? { unit.first.parent }

  @Test("a new package changes the parts around it, and no others", arguments: 0..<6 as Range<UInt64>)
  func stable(seed: UInt64) throws {
    var generator = SeededGenerator(seed)
    let ids = (0..<2000).map { seed % 2 == 0 ? "p\(10_000 + $0)" : "r\(10 + $0 / 70)/p\(10_000 + $0)" }
    let before = try beginnings(units(ids))
    for _ in 0..<10 {
      let neighbour = try #require(ids.randomElement(using: &generator))
      let after = try beginnings(units(ids + [neighbour + "x"]))
      #expect(Set(after).symmetricDifference(before).count <= 6, "\(neighbour)")
    }
  }

  @Test("a region that fits into a part is not torn")
  func regions() throws {
    let ids = (0..<600).map { "r\(100 + $0 / 12)/p\(1000 + $0)" }
    let parts = try CatalogDivision.parts(of: units(ids))
    #expect(ids == ids.sorted())
    for part in parts.dropFirst() {
      #expect(ids[part.lowerBound].prefix(4) != ids[part.lowerBound - 1].prefix(4))
    }
    #expect(parts.count > 20)
  }

  @Test("one large package is a part of its own")
  func large() throws {
    var all = units((0..<40).map { "p\(10 + $0)" })
    all[20] = .init(first: all[20].first, last: all[20].last, size: 1 << 20)
    let parts = try CatalogDivision.parts(of: all)
    #expect(parts.contains(20..<21))
  }

  // MARK: - Written

  private func entries(_ count: Int, changing changed: Set<Int> = []) throws -> [CatalogEntry] {
    try (0..<count).map { index in
      let id: PackageID = "r\(100 + index / 40)/p\(1000 + index)"
      let digest = try Hasher.digest(of: Array("\(id) \(changed.contains(index))".utf8).span.bytes)
      var description = Description(
        name: ComponentName(id: id, dataGroup: "base"), group: "g", country: "c", region: "",
        release: Release(number: 1, label: "1"), dataSize: 4)
      let place = Int32(index % 300) * 1_000_000
      description.geography.bounds = Bounds(
        south: Degrees(tenMillionths: place), west: Degrees(tenMillionths: -place),
        north: Degrees(tenMillionths: place + 500_000), east: Degrees(tenMillionths: 500_000 - place))
      description.geography.polygons = [
        (0..<40).map { "\($0).\(index),\($0).\(index * 7)" }.joined(separator: " ")
      ]
      return CatalogEntry(
        description: description, url: "components/\(digest.hex).dat", size: UInt64(1000 + index),
        digest: digest)
    }
  }

  private var regionNames: RegionNames {
    RegionNames(
      (100..<300).map { Region(id: "r\($0)", names: [LocalizedName(language: "", text: "R\($0)")]) })
  }

  /// An empty one, in which files can be made.
  private func repository() throws -> Repository {
    try scratch.initialize()
    let repository = try Repository(opening: scratch.repository)
    try Workspace.make(repository.open())
    return repository
  }

  private func write(
    _ entries: [CatalogEntry], number: UInt64 = 1, jobs: Int = 2, known: [CatalogPart] = []
  ) async throws -> (release: ServedRelease, index: CatalogIndex) {
    let repository = try self.repository()
    let made = try await CatalogFile(
      repository: repository, entries: entries, regions: regionNames,
      release: Release(number: number, label: "\(number)"), jobs: jobs, known: Set(known.map(\.url))
    ).write(ReleaseOffer())
    return (made, try repository.catalog(of: made))
  }

  private func names() throws -> Set<String> {
    Set(try scratch.tree().keys.filter { $0.hasPrefix("catalogs/") })
  }

  @Test("a catalog in parts lists what it was made of, in the same bytes whatever the number of jobs")
  func written() async throws {
    let entries = try entries(900)
    let (made, index) = try await write(entries)
    #expect(index.entries == entries)
    #expect(index.parts.count > 20 && index.wrongSums == [])
    let files = try scratch.tree().filter { $0.key.hasPrefix("catalogs/") }
    #expect(Set(files.keys) == Set(index.parts.map(\.url) + [made.catalogURL]))
    #expect(try await write(entries, jobs: 1).release == made)
    #expect(try scratch.tree().filter { $0.key.hasPrefix("catalogs/") } == files)
    #expect(index.parts.allSatisfy { $0.file.size < 20_000 })
  }

  @Test("a small catalog has no parts")
  func small() async throws {
    let (_, index) = try await write(entries(50))
    #expect(index.parts == [] && index.entries.count == 50)
  }

  @Test("a component that changes makes one other part, and the rest keep their bytes")
  func unchanged() async throws {
    let first = try await write(entries(900)).index
    let before = try names()
    let second = try await write(entries(900, changing: [400]), number: 2, known: first.parts)
    let new = try names().subtracting(before)
    #expect(new.count == 2 && new.contains(second.release.catalogURL), "\(new)")
    #expect(second.index.wrongSums == [])
  }

  @Test("parts of parts are written where a catalog would list too many")
  func levels() async throws {
    let entries = try entries(6000)
    let (_, index) = try await write(entries)
    #expect(index.entries.count == 6000 && index.parts.contains { $0.level == 1 } && index.wrongSums == [])
    #expect(index.parts.filter { $0.level == 1 }.reduce(0) { $0 + $1.packages } == 6000)
  }

  @Test("sums that are not those of the components are found")
  func sums() async throws {
    let index = try await write(entries(900)).index
    var parts = index.parts
    parts[3].groups[0].download += 1
    parts[5].bounds = parts[0].bounds
    #expect(CatalogIndex(index.entries, parts: parts).wrongSums == [parts[3], parts[5]])
  }

  @Test("the outlines of parts have what the parts have, and others are found")
  func outlines() async throws {
    let (made, index) = try await write(entries(900))
    let path = scratch.repository
    func wrong(_ index: CatalogIndex) throws -> [ComponentName] {
      try index.wrongOutlines(of: made) { (url, _) in "\(path)/\(url)" }
    }
    #expect(try wrong(index) == [])
    var outlined = 0
    _ = try CatalogIndex.read(made, byOutline: true, file: { (url, _) in "\(path)/\(url)" }) { entry, above in
      if entry.url.isEmpty && above.count == 1 { outlined += 1 }
    }
    #expect(outlined == 900)
    var others = index.entries
    others[7].size += 1
    others[500].description.isDetail = true
    #expect(try wrong(CatalogIndex(others)) == [others[7].name, others[500].name])
    #expect(try wrong(CatalogIndex(others.dropLast())).count == 3)
    // What is missing on one side is all that is named.
    let missing = index.entries[300].name
    #expect(try wrong(CatalogIndex(index.entries.filter { $0.name != missing })) == [missing])
    var more = index.entries
    more[300].description.name = ComponentName(id: missing.id, dataGroup: "a")
    #expect(try wrong(CatalogIndex(more)) == [more[300].name, missing])
  }

  @Test("verify finds an outline and sums that are not those of the part, in a directory and on a server")
  func verified() throws {
    let entries = try entries(20)
    var others = entries
    others[7].size += 1
    #expect(try flaws(entries, outline: entries) == [])
    let outlined = try flaws(entries, outline: others)
    #expect(
      outlined == ["the outline of a part has \(others[7].name.path) otherwise than the part."], "\(outlined)"
    )
    let sums = try flaws(entries, outline: entries) { $0.groups[0].download += 1 }
    #expect(sums.count == 1 && sums[0].hasSuffix("does not have the sums that its catalog lists."), "\(sums)")
  }

  /// What verify says of a catalog of one part, apart from the components, which are missing.
  ///
  /// - `change`: changes what the catalog says of the part.
  private func flaws(
    _ entries: [CatalogEntry], outline: [CatalogEntry], change: (inout CatalogPart) -> Void = { _ in }
  ) throws -> [String] {
    let repository = try repository()
    var writer = CatalogWriter()
    writer.openOutline()
    for entry in outline { writer.add(outlined: entry) }
    writer.closeOutline()
    for entry in entries { writer.add(entry) }
    writer.finish()
    let packed = try PackedDocument(
      writer.takeText(), dictionary: PackedDocument.partDictionary, path: "part")
    let partURL = CatalogPart.url(of: packed.digest)
    try scratch.write(partURL, packed.bytes, in: "repository")
    var sums = PartSums()
    for entry in entries { sums.add([entry]) }
    var part = CatalogPart(
      from: entries[0].name.id, to: entries[entries.count - 1].name.id, level: 0, packages: sums.packages,
      isFlat: sums.isFlat, url: partURL,
      file: CatalogReference(digest: packed.digest, size: UInt64(packed.bytes.count)),
      bounds: sums.bounds?.rounded, groups: sums.groups)
    change(&part)
    let release = Release(number: 1, label: "1")
    writer = CatalogWriter(release, hasParts: true)
    writer.add(part)
    writer.finish()
    let catalog = try PackedDocument(
      writer.takeText(), dictionary: PackedDocument.catalogDictionary, path: "catalog")
    let made = ServedRelease(
      release, catalog: CatalogReference(digest: catalog.digest, size: UInt64(catalog.bytes.count)),
      minimumApplication: 0, rollout: 100)
    try scratch.write(made.catalogURL, catalog.bytes, in: "repository")
    var files = FileVerification(of: repository, depth: .sizes) { _ in }
    _ = try files.check(made, isLive: true)
    let found = flaws(in: files.problems, at: scratch.repository)
    let (url, server) = try served()
    defer { server.signal(SIGTERM) }
    let options = Verification.Options(now: TestRepository.now)
    var verification = try ServerVerification(url, options, shouldStop: { false }) { _ in }
    _ = try verification.check(made, isLive: true, folder: TemporaryFolder())
    #expect(flaws(in: verification.problems, at: url) == found)
    return found
  }

  private func flaws(in problems: [String], at place: String) -> [String] {
    problems.filter { !$0.contains("components/") }
      .map { $0.replacing("\(place): ", with: "").replacing("\(place)/", with: "") }
  }

  /// The repository, handed out by a server until that is ended.
  private func served() throws -> (url: String, server: ChildProcess) {
    let words = "-u -m http.server 0 --bind 127.0.0.1 --directory".split(separator: " ").map(String.init)
    let server = try ChildProcess("python3", words + [scratch.repository])
    let line = try #require(server.waitForLine(with: "Serving HTTP"))
    let port = try #require(line.split(separator: " ").dropFirst(5).first)
    return ("http://127.0.0.1:\(port)", server)
  }

  @Test("a catalog with a part that is lost or changed is refused")
  func damaged() async throws {
    let (made, index) = try await write(entries(900))
    let repository = try repository()
    let part = index.parts[4].url
    var bytes = try File(opening: "\(scratch.repository)/\(part)").bytes(upTo: 1 << 20)
    bytes[bytes.count / 2] ^= 1
    try scratch.write(part, bytes, in: "repository")
    #expect(throws: PublisherError.repository(.wrongDigest(path: "\(scratch.repository)/\(part)"))) {
      try repository.catalog(of: made)
    }
    try Directory(opening: scratch.repository).remove(part)
    #expect(throws: PublisherError.self) { try repository.catalog(of: made) }
  }
}
