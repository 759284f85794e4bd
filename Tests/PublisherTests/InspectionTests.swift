import CatalogWriting
import Crypto
import DeltaApply
import MapModel
import PatchFormat
import Releases
import TestSupport
import Testing
import Trust

@testable import Catalog
@testable import Publisher

@Suite("Inspection")
struct InspectionTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  /// A file of the repository under a name that says nothing.
  private func inspect(_ url: String) throws -> Inspection {
    try scratch.write("thing", try scratch.served(url))
    return try Inspection(of: "\(scratch.input)/thing")
  }

  @Test("every file of a repository is recognised by what is in it")
  func repository() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1", form: .dat)
    try Maps.write(to: scratch) { Maps.changed($0) }
    let report = try await scratch.release("2", form: .dat)
    let entry = try component(report, id: "europe/malta").entry

    guard case .component(let component, let size, let digest) = try inspect(entry.url),
      case .catalog(let document) = try inspect(report.catalog.catalogURL),
      case .patch(let packed) = try inspect(try #require(entry.packed).url),
      case .patch(let patch) = try inspect(try #require(entry.patches.first).container.url),
      case .map(let map) = try Inspection(of: "\(scratch.input)/europe/malta/map.xml")
    else {
      Issue.record("not recognised")
      return
    }
    #expect(component.description == entry.description)
    #expect(size == entry.size && digest == entry.digest)
    #expect(document.release == report.release)
    #expect(document.components == report.components.map(\.entry))
    #expect(packed.head.oldSize == 0 && patch.head.oldSize > 0)
    #expect(packed.frames >= 1 && packed.head.newCheck == patch.head.newCheck)
    #expect(map.country == "Malta")
  }

  @Test("a catalog that is not packed is one too")
  func plain() throws {
    var writer = CatalogWriter(Release(number: 7, label: "x"))
    writer.finish()
    try scratch.write("c.update", "\u{feff}" + writer.takeText())
    guard case .catalog(let document) = try Inspection(of: "\(scratch.input)/c.update") else {
      Issue.record("not recognised")
      return
    }
    #expect(document.release?.number == 7 && document.components.isEmpty)
  }

  @Test(
    "what is none of ours is refused", arguments: ["", "x", "PK\u{3}\u{4}12345678901234", "<html></html>"])
  func unknown(text: String) throws {
    try scratch.write("thing", text)
    let path = "\(scratch.input)/thing"
    #expect(throws: PublisherError.inspection(.unknownFormat(path: path))) { try Inspection(of: path) }
  }

  @Test("every prefix and every flipped byte of a patch is noticed")
  func damaged() async throws {
    try scratch.write("malta/base.x", [UInt8](repeating: 7, count: 3000))
    let entry = try component(try await scratch.release("1"), id: "malta").entry
    let bytes = try scratch.served(try #require(entry.packed).url)
    func isWhole(_ bytes: [UInt8]) throws -> Bool {
      try scratch.write("thing", bytes)
      do throws(PublisherError) {
        guard case .patch(let patch) = try Inspection(of: "\(scratch.input)/thing") else { return false }
        return "payloads/\(patch.headDigest.hex).patch" == entry.packed?.url
      } catch { return false }
    }
    #expect(try isWhole(bytes))
    #expect(try !isWhole(bytes + [0]))
    for index in bytes.indices {
      var flipped = bytes
      flipped[index] ^= 0x41
      #expect(try !isWhole(flipped))
      #expect(try !isWhole(Array(bytes[..<index])))
    }
  }
}
