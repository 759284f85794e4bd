import CatalogWriting
import MapModel
import Platform
import TestSupport
import Testing

@testable import Catalog

/// The named regions between the components of a catalog.
@Suite("Regions of a catalog")
struct RegionTests {
  /// A document of lines such as `r europe` and `c europe/malta`, read: the regions that each entry has above it.
  private func read(_ lines: [String]) throws(CatalogError) -> [[PackageID]] {
    var writer = CatalogWriter(Fixture.release)
    for line in lines {
      let text = String(line.dropFirst(2))
      let id: PackageID = "\(text)"
      if line.hasPrefix("r") {
        writer.add(Region(id: id, names: [LocalizedName(language: "", text: text)]))
      } else {
        writer.add(Fixture.entry(id))
      }
    }
    writer.finish()
    return try read(writer.takeText())
  }

  private func read(_ text: String) throws(CatalogError) -> [[PackageID]] {
    var reader = try CatalogReader(BytesSource(text), path: "catalog")
    var found: [[PackageID]] = []
    while try reader.next() != nil { found.append(reader.regions.map(\.id)) }
    return found
  }

  private func flaw(_ lines: [String]) -> XMLFlaw? {
    CatalogTests.flaw { () throws(CatalogError) in _ = try read(lines) }
  }

  @Test("each entry has the named regions above it, the outermost first")
  func above() throws {
    let found = try read([
      "c a", "r b", "c b/x", "r b/y", "r b/y/z", "c b/y/z/1", "c b/y/z/2", "c b/y/zz", "c b/z", "c bb",
      "r c/d/e", "c c/d/e/f", "c c/d/g",
    ])
    #expect(
      found == [
        [], ["b"], ["b", "b/y", "b/y/z"], ["b", "b/y", "b/y/z"], ["b", "b/y"], ["b"], [], ["c/d/e"], [],
      ])
  }

  @Test(
    "a package below another one is refused, however many come between them",
    arguments: [
      (["c a", "c a/b"], "a/b"), (["c a", "c a-b", "c a-b-c", "c a/b.dat"], "a/b.dat"),
      (["c a/b", "c a/b/c/d"], "a/b/c/d"), (["c a", "c a.b", "c a.b/c"], "a.b/c"),
    ] as [([String], PackageID)])
  func nested(lines: [String], id: PackageID) { #expect(flaw(lines) == .nestedPackage(id: id)) }

  @Test(
    "packages beside each other are not nested",
    arguments: [
      ["c a", "c a-b", "c aa/b", "c b"], ["c a-/b", "c a/b", "c a/bb", "c a/bb-c/d"], ["c a.b/c", "c a/b"],
    ])
  func siblings(lines: [String]) { #expect(flaw(lines) == nil) }

  @Test("a region is written byte for byte as the format says, with its names in all languages")
  func bytes() throws {
    let names = [LocalizedName(language: "", text: "Europe"), LocalizedName(language: "de", text: "Europa")]
    var writer = CatalogWriter(Fixture.release)
    _ = writer.takeText()
    writer.add(Region(id: "europe", names: names))
    #expect(
      writer.takeText() == """
          <region id="europe">
            <name>Europe</name>
            <name xml:lang="de">Europa</name>
          </region>

        """)
    var document = CatalogWriter(Fixture.release)
    document.add(Region(id: "europe", names: names))
    document.add(Fixture.entry("europe/malta"))
    document.finish()
    var reader = try CatalogReader(BytesSource(document.takeText()), path: "catalog")
    _ = try reader.next()
    #expect(reader.regions == [Region(id: "europe", names: names)])
  }

  @Test(
    "a region that is not directly before its first component is refused",
    arguments: [
      (["r a", "c b"], "a"), (["r a", "c a"], "a"), (["r a", "c ab"], "a"), (["c a/x", "r a", "c a/y"], "a"),
      (["r a", "r a", "c a/x"], "a"), (["r a/b", "r a", "c a/b/c"], "a"), (["r a", "r b", "c a/x"], "b"),
      (["r a", "r a/c", "c a/b"], "a/c"), (["c a/x", "r b"], "b"), (["r a"], "a"),
      (["r a", "c a/x", "r a", "c a/y"], "a"),
    ] as [([String], PackageID)])
  func misplaced(lines: [String], id: PackageID) {
    #expect(flaw(lines) == .misplacedRegion(id: id))
  }

  @Test(
    "a malformed region is refused with its flaw",
    arguments: [
      ("<region><name>A</name></region>", .missing(attribute: "id")),
      ("<region id=\"../a\"><name>A</name></region>", .invalid(attribute: "id")),
      ("<region id=\"a\"/>", .missing(attribute: "name")),
      ("<region id=\"a\"><name/></region>", .invalid(attribute: "name")),
      ("<region id=\"a\"><name>A<b/></name></region>", .unexpectedElement("b")),
    ] as [(String, XMLFlaw)])
  func malformed(region: String, expected: XMLFlaw) {
    let text = Fixture.catalog([Fixture.entry("a/b")]).replacing("  <component", with: region + "<component")
    #expect(CatalogTests.flaw { () throws(CatalogError) in _ = try read(text) } == expected)
  }

  @Test("more names than any region has are refused")
  func names() {
    let names = String(repeating: "<name>A</name>", count: CatalogLimits.names + 1)
    let region = "<region id=\"a\">\(names)</region><component"
    let text = Fixture.catalog([Fixture.entry("a/b")]).replacing("  <component", with: region)
    #expect(CatalogTests.flaw { () throws(CatalogError) in _ = try read(text) } == .tooLarge)
  }

  @Test("what else a region says is for later readers")
  func unknown() throws {
    let region = "<region id=\"a\" x=\"1\"><flag><name/></flag><name>A</name><bounds/></region>"
    let text = Fixture.catalog([Fixture.entry("a/b")]).replacing("  <component", with: region + "<component")
    #expect(try read(text) == [["a"]])
  }

  @Test("detail is written only where it is said, and reads back")
  func detail() throws {
    var entry = Fixture.entry("a")
    #expect(!Fixture.catalog([entry]).contains("detail"))
    entry.description.isDetail = true
    let text = Fixture.catalog([entry])
    #expect(text.contains(" minimum-reader=\"0\" detail=\"1\" size="))
    #expect(try Fixture.read(text) == [entry])
    let bad = text.replacing("detail=\"1\"", with: "detail=\"yes\"")
    let flaw = CatalogTests.flaw { () throws(CatalogError) in _ = try Fixture.read(bad) }
    #expect(flaw == .invalid(attribute: "detail"))
  }
}
