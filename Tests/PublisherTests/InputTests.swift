import CatalogWriting
import Glibc
import MapModel
import Platform
import TestSupport
import Testing

@testable import Catalog
@testable import Publisher

@Suite("Input")
struct InputTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  private func scan(_ form: ComponentForm = .plain) throws(PublisherError) -> InputScanner.Found {
    try InputScanner.scan(
      InputSource(directory: scratch.input), release: Release(number: 1, label: "1"), form: form)
  }

  private func refusal(of form: ComponentForm = .plain) -> PublisherError? {
    do throws(PublisherError) { _ = try scan(form) } catch { return error }
    return nil
  }

  @Test("without a map.xml, the path says what a package is")
  func path() throws {
    try scratch.write("europe/france/grand-est/haut_rhin/base.gpkg", [1, 2, 3])
    let description = try #require(try scan().components.first).description
    #expect(
      description.name
        == ComponentName(
          "europe/france/grand-est/haut_rhin", dataGroup: "base",
          file: "europe/france/grand-est/haut_rhin/base.gpkg"))
    #expect(description.group == "Europe")
    #expect(description.country == "France")
    #expect(description.region == "Grand Est, Haut Rhin")
    #expect(description.dataSize == 3)
  }

  @Test(
    "names from an id",
    arguments: [
      ("malta", "Malta", "Malta", ""), ("europe/malta", "Europe", "Malta", ""),
      ("a/b-c/île", "A", "B C", "Île"),
    ])
  func names(id: PackageID, group: String, country: String, region: String) {
    let names = PathNames(id: id)
    #expect((names.group, names.country, names.region) == (group, country, region))
  }

  @Test("a map.xml goes before the path, and what it leaves out follows from its id")
  func map() throws {
    try scratch.write("x/y/base.gpkg", [1])
    try scratch.write("x/y/search.sqlite", [1])
    try scratch.write(
      "x/y/map.xml",
      """
      <map id="asia/japan/kanto" region="Kantō" minimum-reader="2"><name>Kanto</name>
      <data-group name="search" index-size="77"/></map>
      """)
    let descriptions = try scan().components.map(\.description)
    #expect(descriptions.map(\.name.id) == ["asia/japan/kanto", "asia/japan/kanto"])
    #expect(descriptions.map(\.country) == ["Japan", "Japan"])
    #expect(descriptions.map(\.region) == ["Kantō", "Kantō"])
    #expect(descriptions.map(\.minimumReader) == [2, 2])
    #expect(descriptions.map(\.indexSize) == [0, 77])
    #expect(descriptions.map { Language.english.name(of: $0.geography.names) } == ["Kanto", "Kanto"])
  }

  @Test("components come in the order of their bytes, wherever they lie")
  func order() throws {
    for name in ["b/base.x", "a/z.x", "a/base.x", "a-b/base.x", "é/base.x"] { try scratch.write(name, [1]) }
    let names = try scan().components.map(\.description.name.path)
    #expect(names == ["a/base.x", "a/z.x", "a-b/base.x", "b/base.x", "é/base.x"])
  }

  @Test("files that are not map data are ignored and named")
  func ignored() throws {
    try scratch.write("europe/malta/base.gpkg", [1])
    for name in [
      "README", "europe/README.md", "europe/.DS_Store", ".git/config", "europe/malta/LICENSE",
      "europe/Thumbs.db", "europe/malta/THUMBS.DB", "europe/malta/desktop.ini",
      "europe/malta/a.gpkg~",
      "empty/map.xml",
    ] {
      try scratch.write(name, "<map/>")
    }
    let malta = try Directory(opening: "\(scratch.input)/europe/malta")
    try malta.makeSymbolicLink("search.sqlite", to: "base.gpkg")
    let found = try scan()
    #expect(found.components.map(\.description.name.path) == ["europe/malta/base.gpkg"])
    let ignored = found.ignored.map { "\($0.path.dropFirst(scratch.input.count + 1)) \($0.reason)" }.sorted()
    #expect(
      ignored == [
        ".git hidden", "README document", "empty/map.xml noData", "europe/.DS_Store hidden",
        "europe/README.md document", "europe/Thumbs.db systemFile", "europe/malta/LICENSE document",
        "europe/malta/THUMBS.DB systemFile", "europe/malta/a.gpkg~ document",
        "europe/malta/desktop.ini systemFile",
        "europe/malta/search.sqlite notAFile",
      ])
  }

  @Test(
    "a data file without a usable data group is refused by name",
    arguments: ["b\\c.gpkg", String(repeating: "g", count: 65) + ".gpkg"])
  func dataGroup(name: String) throws {
    try scratch.write("europe/malta/base.gpkg", [1])
    try scratch.write("europe/malta/\(name)", [1])
    #expect(refusal() == .input(.noDataGroup(path: "\(scratch.input)/europe/malta/\(name)")))
  }

  @Test("a data file that no package can be called after is refused, with what to do")
  func package() throws {
    try scratch.write("new\\maps/base.gpkg", [1])
    #expect(refusal() == .input(.noPackage(path: "\(scratch.input)/new\\maps/base.gpkg")))
    try scratch.remove("new\\maps")
    try scratch.write("base.gpkg", [1])
    try scratch.write("map.xml", "<map package=\"tree\"/>")
    #expect(refusal() == .input(.noDirectory(path: "\(scratch.input)/base.gpkg")))
  }

  @Test("nine levels are too deep")
  func depth() throws {
    try scratch.write("1/2/3/4/5/6/7/8/base.x", [1])
    #expect(try scan().components.count == 1)
    try scratch.write("1/2/3/4/5/6/7/8/9/base.x", [1])
    #expect(refusal() == .input(.tooDeep(path: "\(scratch.input)/1/2/3/4/5/6/7/8/9/base.x")))
  }

  @Test("two files of one data group are both published as they are, and refused as .dat files, both by name")
  func sameGroup() throws {
    try scratch.write("europe/malta/base.gpkg", [1])
    try scratch.write("europe/malta/base.sqlite", [1])
    #expect(
      try scan().components.map(\.description.name.path) == [
        "europe/malta/base.gpkg", "europe/malta/base.sqlite",
      ])
    #expect(try scan().components.allSatisfy { $0.description.name.dataGroup == .essential })
    let (first, second) = (
      "\(scratch.input)/europe/malta/base.gpkg", "\(scratch.input)/europe/malta/base.sqlite"
    )
    let name = ComponentName(id: "europe/malta", dataGroup: "base")
    #expect(refusal(of: .dat) == .input(.sameComponent(name, first: first, second: second)))
  }

  @Test("two packages of one id are refused, both by name")
  func sameID() throws {
    try scratch.write("a/base.x", [1])
    try scratch.write("b/base.x", [1])
    try scratch.write("b/map.xml", "<map id=\"a\"/>")
    guard case .input(.sameComponent(let name, _, _)) = refusal() else {
      Issue.record("not refused")
      return
    }
    #expect(name == ComponentName("a", dataGroup: "base", file: "a/base.x"))
  }

  @Test("a package that was called after another one's region is refused")
  func nested() throws {
    try scratch.write("europe/france/base.x", [1])
    try scratch.write("europe/france/map.xml", "<map id=\"europe/france\"/>")
    try scratch.write("europe/france-sud/base.x", [1])
    try scratch.write("europe/france/corse/base.x", [1])
    let (outer, inner) = (
      "\(scratch.input)/europe/france/base.x", "\(scratch.input)/europe/france/corse/base.x"
    )
    #expect(refusal() == .input(.nestedPackages(outer: outer, inner: inner)))
  }

  @Test("broken XML is refused with its file and line")
  func brokenMap() throws {
    try scratch.write("europe/malta/base.gpkg", [1])
    try scratch.write("europe/malta/map.xml", "<map>\n<name>Malta</nam>\n</map>")
    let path = "\(scratch.input)/europe/malta/map.xml"
    #expect(refusal() == .input(.rejected(.malformed(path: path, line: 2, .syntax(expat: 7)))))
    #expect(refusal()?.sentence.contains("map.xml, line 2") == true)
  }

  @Test("a description that no device would read is refused")
  func tooLarge() throws {
    try scratch.write("a/base.x", [1])
    let polygon = "<polygon>\(String(repeating: "1.2345678,2.3456789 ", count: 30_000))</polygon>"
    try scratch.write("a/map.xml", "<map>\(polygon)\(polygon)</map>")
    guard case .input(.descriptionTooLarge(let path, _)) = refusal() else {
      Issue.record("not refused")
      return
    }
    #expect(path == "\(scratch.input)/a/base.x")
  }

  @Test("an empty input is refused, and one made of symbolic links says so")
  func empty() throws {
    #expect(refusal() == .input(.noComponents(path: scratch.input, links: 0)))
    try scratch.write("base.gpkg", [1], in: "elsewhere")
    for package in ["europe/malta", "europe/italy"] {
      try Directory(opening: scratch.path).makeParents(of: "input/\(package)/base.gpkg")
      try Directory(opening: "\(scratch.input)/\(package)").makeSymbolicLink(
        "base.gpkg", to: "\(scratch.path)/elsewhere/base.gpkg")
    }
    #expect(refusal() == .input(.noComponents(path: scratch.input, links: 2)))
    #expect(refusal()?.sentence.contains("2 symbolic links") == true)
  }

  @Test("a name that is not UTF-8 is not reported as disappeared")
  func disappeared() throws {
    let input = try Directory(opening: scratch.input)
    #expect(throws: PublisherError.input(.disappeared(path: "\(scratch.input)/malta"))) {
      try InputScanner.status(of: "malta", in: input)
    }
    let bytes: [CChar] = Array("\(scratch.input)/malt".utf8CString.dropLast()) + [-1, 0]
    #expect(mkdir(bytes, 0o755) == 0)
    defer { rmdir(bytes) }
    #expect(refusal() == .input(.nameNotUTF8(path: "\(scratch.input)/malt\u{fffd}")))
  }

  @Test(
    "characters that control a terminal are refused in names and texts",
    arguments: [
      ("a/b\u{9b}31m/base.x", "<map/>", "U+009B"), ("a/b\u{1}/base.x", "<map/>", "U+0001"),
      ("a/b\u{200f}/base.x", "<map/>", "U+200F"), ("a/b/ba\u{202e}se.x", "<map/>", "U+202E"),
      ("a/b/base.x", "<map><name>&#x2066;Malta</name></map>", "U+2066"),
      ("a/b/base.x", "<map country=\"&#x85;\"/>", "U+0085"),
    ])
  func control(name: String, map: String, codePoint: String) throws {
    try scratch.write(name, [1])
    try scratch.write("a/b/map.xml", map)
    let file = name.contains("b/base.x") ? "a/b/base.x" : name
    #expect(refusal() == .input(.controlCharacter(path: "\(scratch.input)/\(file)", codePoint: codePoint)))
    #expect(refusal()?.sentence.contains(codePoint) == true)
  }

  @Test("a region's name is checked too; marks of right-to-left scripts and line ends stay in texts")
  func controlOfRegion() throws {
    try scratch.write("asia/israel/base.x", [1])
    let name = "<name xml:lang=\"he\">\u{200f}ישראל</name>"
    try scratch.write("asia/israel/map.xml", "<map><name>\n  Israel\n</name>\(name)</map>")
    #expect(refusal() == nil)
    try scratch.write("asia/map.xml", "<map><name>Asia\u{202e}</name></map>")
    #expect(
      refusal() == .input(.controlCharacter(path: "\(scratch.input)/asia/map.xml", codePoint: "U+202E")))
  }

  @Test("a file that cannot be read is named")
  func unreadable() throws {
    #expect(throws: PublisherError.self) {
      try InputScanner.scan(
        InputSource(directory: "\(scratch.path)/none"), release: Release(number: 1, label: "1"))
    }
  }

  @Test("a ready component says itself what it is, wherever it lies")
  func ready() throws {
    var description = Description(
      name: ComponentName(id: "asia/japan", dataGroup: "poi"), group: "Asia", country: "Japan", region: "",
      release: Release(number: 9, label: "2020"), dataSize: 3)
    description.geography.names = [LocalizedName(language: "", text: "Japan")]
    let bytes = ComponentFile.front(of: description) + [1, 2, 3]
    try scratch.write("delivery-17.dat", bytes)
    let component = try #require(try scan().components.first)
    #expect(component.kind == .ready(size: UInt64(bytes.count)))
    #expect(component.description == description)
    #expect(component.front(Release(number: 1, label: "1")) == [])

    try scratch.write("delivery-17.dat", bytes + [4])
    let path = "\(scratch.input)/delivery-17.dat"
    let size = UInt64(bytes.count)
    #expect(
      refusal() == .input(.rejected(.notAComponent(path: path, .wrongSize(expected: size, found: size + 1)))))
    try scratch.write("delivery-17.dat", "just data")
    #expect(refusal() != nil)
  }

  // MARK: - Regions

  @Test("a map.xml above packages names their region, and nothing of it reaches a component")
  func regions() throws {
    try scratch.write(
      "europe/map.xml",
      """
      <map minimum-reader="9"><name>Europe</name><name xml:lang="de">Europa</name>
      <bounds south="1" west="1" north="2" east="2"/></map>
      """)
    try scratch.write("europe/malta/base.gpkg", [1])
    try scratch.write("europe/fr/map.xml", "<map id=\"europe/france\"><name>France</name></map>")
    try scratch.write("europe/fr/alsace/base.gpkg", [1])
    try scratch.write("europe/fr/alsace/map.xml", "<map id=\"europe/france/alsace\" detail=\"yes\"/>")
    try scratch.write("europe/spain/map.xml", "<map/>")
    try scratch.write("europe/spain/galicia/base.gpkg", [1])
    let found = try scan()
    #expect(found.ignored.isEmpty)
    #expect(found.warnings.contains(.boundsOfRegion(path: "\(scratch.input)/europe/map.xml")))
    #expect(found.components.map(\.description.isDetail) == [true, false, false])
    #expect(found.components.map(\.description.minimumReader) == [0, 0, 0])
    #expect(found.components.map(\.description.geography) == [Geography(), Geography(), Geography()])
    let names = [LocalizedName(language: "", text: "Europe"), LocalizedName(language: "de", text: "Europa")]
    #expect(
      found.regions.above("europe/france/alsace") == [
        Region(id: "europe", names: names),
        Region(id: "europe/france", names: [LocalizedName(language: "", text: "France")]),
      ])
    // The region that has no name is not there; neither is a package its own region.
    #expect(found.regions.above("europe/spain/galicia").map(\.id) == ["europe"])
    #expect(found.regions.above("europe").isEmpty)
  }

  @Test("a map.xml of a region without packages is ignored")
  func emptyRegions() throws {
    try scratch.write("europe/malta/base.gpkg", [1])
    try scratch.write("asia/map.xml", "<map><name>Asia</name></map>")
    try scratch.write("map.xml", "<map><name>World</name></map>")
    try scratch.write("europe/map.xml", "<map id=\"eur\"><name>Europe</name></map>")
    let ignored = try scan().ignored.map { "\($0.path.dropFirst(scratch.input.count + 1)) \($0.reason)" }
    #expect(ignored.sorted() == ["asia/map.xml noData", "europe/map.xml noData", "map.xml noRegion"])
    // What it says of replaced packages counts.
    try scratch.write("map.xml", "<map><replaced id=\"europe/gozo\" by=\"europe/malta\"/></map>")
    let rest = try scan().ignored.map { "\($0.path.dropFirst(scratch.input.count + 1)) \($0.reason)" }
    #expect(rest.sorted() == ["asia/map.xml noData", "europe/map.xml noData"])
  }

  @Test("two descriptions of one region are refused, both by name")
  func sameRegion() throws {
    try scratch.write("europe/malta/base.gpkg", [1])
    try scratch.write("europe/map.xml", "<map><name>Europe</name></map>")
    try scratch.write("north/map.xml", "<map id=\"europe\"><name>Europe</name></map>")
    let (first, second) = ("\(scratch.input)/europe/map.xml", "\(scratch.input)/north/map.xml")
    #expect(refusal() == .input(.sameRegion("europe", first: first, second: second)))
  }

  @Test("detail is yes or no", arguments: [("yes", true), ("no", false)])
  func detail(word: String, expected: Bool) throws {
    try scratch.write("a/base.x", [1])
    try scratch.write("a/map.xml", "<map detail=\"\(word)\"/>")
    #expect(try scan().components.first?.description.isDetail == expected)
  }

  @Test("any other word for detail is refused", arguments: ["1", "true", "", "YES"])
  func badDetail(word: String) throws {
    try scratch.write("a/base.x", [1])
    try scratch.write("a/map.xml", "<map detail=\"\(word)\"/>")
    let path = "\(scratch.input)/a/map.xml"
    #expect(refusal() == .input(.rejected(.malformed(path: path, line: 1, .invalid(attribute: "detail")))))
  }
}
