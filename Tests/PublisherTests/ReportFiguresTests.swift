import Codec
import Crypto
import DeltaCreate
import DeltaTestSupport
import MapModel
import PatchFormat
import Releases
import TestSupport
import Testing

@testable import Catalog
@testable import Publisher
@testable import Reporting

@Suite("Figures of a report")
struct ReportFiguresTests {
  private let scratch: TestRepository
  private var repository: Repository { get throws { try Repository(opening: scratch.repository) } }

  init() throws { scratch = try TestRepository() }

  private func catalogs() throws -> [CatalogIndex] {
    let repository = try repository
    return try repository.releases().map { try repository.catalog(of: $0) }
  }

  private static func packages(of catalog: CatalogIndex, after bases: [CatalogIndex]) -> [Report.Package] {
    var places = PlaceTable()
    return Report.Package.all(of: catalog, after: bases, places: &places)
  }

  @Test("a package has the sums that the release printed for its components")
  func packages() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    try Maps.write(to: scratch) { Maps.changed($0) }
    let report = try await scratch.release("2")
    let catalogs = try catalogs()
    let packages = Self.packages(of: catalogs[1], after: [catalogs[0]])
    #expect(packages.map(\.id) == ["europe/france/grand-est", "europe/malta"])
    #expect(packages.map(\.name) == ["Grand Est", "Malta"])
    for package in packages {
      let components = report.components.filter { $0.entry.name.id.text == package.id }
      #expect(package.size == components.reduce(0) { $0 + $1.entry.size })
      #expect(package.fullDownload == components.reduce(0) { $0 + $1.entry.fullDownload })
      #expect(package.updates == [components.reduce(0) { $0 + ($1.update ?? 0) }])
      #expect(package.changed == components.count { !$0.isUnchanged })
      #expect(package.state == .changed)
    }
    #expect(packages[1].changed == 1 && packages[1].dataGroups == ["base", "search"])
  }

  @Test(
    "a package is new, changed, unchanged or gone; a new data group is a change, and a new package no update")
  func states() async throws {
    try scratch.write("a/base.x", Maps.data(1))
    try scratch.write("b/base.x", Maps.data(2))
    try scratch.write("c/base.x", Maps.data(3))
    try scratch.write("e/base.x", Maps.data(6))
    try scratch.write("e/search.x", Maps.data(7))
    try await scratch.release("1")
    try scratch.remove("c")
    try scratch.remove("e/search.x")
    try scratch.write("b/search.x", Maps.data(4, size: 10_000))
    try scratch.write("d/base.x", Maps.data(5))
    let report = try await scratch.release("2", allowedRemovals: 2)
    let catalogs = try catalogs()
    let packages = Self.packages(of: catalogs[1], after: [catalogs[0]])
    #expect(packages.map(\.id) == ["a", "b", "d", "e", "c"])
    #expect(packages.map(\.state) == [.unchanged, .changed, .new, .changed, .gone])
    let search = try component(report, id: "b", dataGroup: "search").entry
    #expect(packages.map(\.updates) == [[0], [search.fullDownload], [nil], [0], []])
    #expect(
      packages.map(\.shareOfChange)
        == [0, search.fullDownload * 1000 / packages[1].fullDownload, nil, 0, nil])
    #expect(Self.packages(of: catalogs[0], after: []).allSatisfy { $0.state == .new })
  }

  @Test("a small change of a large package is never shown as nothing")
  func smallShare() throws {
    func entry(_ digest: String, patches: [Patch] = []) throws -> CatalogEntry {
      let description = Description(
        name: ComponentName(id: "a", dataGroup: "base"), group: "", country: "", region: "",
        release: Release(number: 1, label: "1"), dataSize: 1)
      return CatalogEntry(
        description: description, url: "x", size: 10_000_000,
        digest: try #require(Digest(hex: String(repeating: digest, count: 64))), patches: patches)
    }
    let old = try entry("a")
    let container = Container(url: "p", size: 100, head: Digest(), memory: 1)
    let new = try entry("b", patches: [Patch(from: old.digest, container: container)])
    let package = Self.packages(of: CatalogIndex([new]), after: [CatalogIndex([old])])[0]
    #expect(package.updates == [100] && package.shareOfChange == 1)
    #expect(
      Self.packages(of: CatalogIndex([old]), after: [CatalogIndex([old])]).map(\.shareOfChange) == [0])
  }

  @Test("a device one, two or three releases back downloads what a bundle for it has", arguments: [1, 2, 3])
  func downloads(back: Int) async throws {
    var data = Maps.data(1)
    for release in 1...4 {
      try scratch.write("malta/base.x", data)
      try scratch.write("gozo/base.x", Maps.data(UInt64(release)))
      try scratch.write("comino/base.x", Maps.data(9))
      if release == 4 { try scratch.write("new/base.x", Maps.data(8)) }
      data = Maps.changed(data, every: 3000 + release)
      try await scratch.release("\(release)", patchReleases: 1)
    }
    let catalogs = try catalogs()
    let found = Report.Update(of: catalogs[3], from: catalogs[3 - back])
    var request = BundleRequest()
    request.from = [try #require(ReleaseName("\(4 - back)"))]
    let files = try BundleContents(of: try repository, for: request).files
    let payloads = files.filter { $0.name.hasPrefix("payloads/") || $0.name.hasPrefix("components/") }
    #expect(found.size == payloads.reduce(0) { $0 + $1.size })
    let old = catalogs[3].entries.filter { $0.name.id != "new" }
    #expect(old.count == 3 && found.fullDownload == old.reduce(0) { $0 + $1.fullDownload })
    // Everything of gozo changes, so there is no patch; malta comes by chain if there is more than one step.
    #expect(found.unchanged == 1 && found.inFull == 1)
    #expect(found.patched == (back == 1 ? 1 : 0) && found.chained == (back == 1 ? 0 : 1))
  }

  @Test("the history has the figures of each release, and the size of its catalog with all parts")
  func history() async throws {
    try Maps.write(to: scratch)
    let first = try await scratch.release("1")
    try Maps.write(to: scratch) { Maps.changed($0) }
    let second = try await scratch.release("2")
    let catalogs = try catalogs()
    let figures = [
      Report.Release(first.catalog, catalogs[0], after: nil),
      Report.Release(second.catalog, catalogs[1], after: catalogs[0]),
    ]
    #expect(figures.map(\.changed) == [nil, 2])
    #expect(figures.map(\.packages) == [2, 2] && figures.map(\.components) == [3, 3])
    #expect(figures.map(\.update?.size) == [nil, second.components.reduce(0) { $0 + ($1.update ?? 0) }])
    #expect(figures.map(\.size) == [first, second].map { $0.components.reduce(0) { $0 + $1.entry.size } })
    let files = try names("\(scratch.repository)/catalogs").filter { $0.contains(".2.update") }
    #expect(figures[1].catalogSize == UInt64(try scratch.served("catalogs/\(files[0])").count))
  }

  @Test(
    "the largest updates come first, with what their patches consist of and streams that cannot be made again"
  )
  func large() async throws {
    var random = SeededGenerator(7)
    let usual = try #require(DeflateParameters(level: 6, wrapper: .zlib))
    let contents = (0..<4).map { _ in random.bytes(4500, values: 20) }
    func write(_ edition: UInt8) throws {
      let streams = contents.map { [edition] + $0 }
      try scratch.write(
        "streams/base.x", try deflated(streams[0], usual) + streams[1...].flatMap { storedStream($0) })
      try scratch.write("small/base.x", Maps.changed(Maps.data(1), every: 9000 + Int(edition)))
      try scratch.write("other/base.x", Maps.data(UInt64(edition)))
      try scratch.write("same/base.x", Maps.data(90))
    }
    try write(1)
    try await scratch.release("1")
    try write(2)
    let report = try await scratch.release("2")
    let survey = try Survey(of: try repository, jobs: 2, memory: .max)
    let details = try #require(try await survey.run().releases.first?.details)
    #expect(details.inFull.map(\.id) == ["other"] && details.pruned == 0)
    #expect(details.inFull[0].size == (try component(report, id: "other").entry.fullDownload))
    let updates = details.largest
    #expect(updates.map(\.component.id) == ["streams", "small"] && updates.allSatisfy { $0.patches == 1 })
    #expect(updates[0].component.size > updates[1].component.size)
    let patch = try #require(try component(report, id: "streams").patch)
    let found = try #require(updates[0].patch)
    #expect(updates[0].component.size == patch.size)
    #expect(
      found.columns.map(\.size)
        == (try PatchContents(of: "\(scratch.repository)/\(patch.url)")).columns.map(\.size))
    #expect(found.deflateStreams.rebuiltFromOld.count == 1)
    #expect(
      found.deflateStreams.notRebuilt
        == Report.NotRebuilt(
          contentTooLarge: Report.Tally(),
          otherEncoder: Report.Tally(
            count: 3, size: contents[1...].reduce(0) { $0 + UInt64(storedStream([2] + $1).count) }),
          tooManyExtents: Report.Tally()))
    #expect(found.parts.map(\.part) == PatchPart.allCases)
    let copies = try #require(updates[1].patch)
    func packed(_ columns: BlockColumn...) -> UInt64 {
      columns.reduce(0) { $0 + copies.columns[$1.rawValue].packedSize }
    }
    #expect(
      copies.parts.map(\.size) == [
        packed(.literals), packed(.runs, .differences), packed(.numbers), packed(.operations, .copies),
        packed(.targets),
      ])
    #expect(packed(.runs) > 0 && packed(.differences) > 0)
    #expect(found.parts.reduce(0) { $0 + $1.size } == found.columns.reduce(0) { $0 + $1.packedSize })
  }
}
