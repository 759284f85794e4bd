import CatalogWriting
import Crypto
import MapModel
import TestSupport
import Testing

@testable import Catalog

/// Catalogs whose components are listed by parts, as of `docs/format/catalog.md`.
@Suite("Parts of a catalog")
struct CatalogPartTests {
  /// A document of lines such as `r europe`, `c europe/malta` and `p europe/a europe/z`.
  private func write(_ lines: [String], to writer: consuming CatalogWriter, level: UInt64 = 0) -> String {
    var writer = writer
    for line in lines {
      let words = line.split(separator: " ").map { String($0) }
      let id: PackageID = "\(words[1])"
      switch words[0] {
      case "r": writer.add(Region(id: id, names: [LocalizedName(language: "", text: words[1])]))
      case "c": writer.add(Fixture.entry(id))
      default: writer.add(CatalogPartTests.part(from: id, to: "\(words[2])", level: level))
      }
    }
    writer.finish()
    return writer.takeText()
  }

  private static func part(from first: PackageID, to last: PackageID, level: UInt64 = 0) -> CatalogPart {
    var part = CatalogPart(
      from: first, to: last, level: level, packages: 2, url: "catalogs/x.update.xz",
      file: CatalogReference(digest: Fixture.digest(7), size: 9), bounds: Fixture.bounds)
    var sums = CatalogPart.GroupSums("base")
    (sums.components, sums.size, sums.download, sums.indexSize) = (2, 1000, 600, 5)
    part.groups = [sums]
    return part
  }

  /// The ids of a catalog of these documents, each with the named regions above it; parts that are nil are passed over.
  private func read(_ catalog: [String], _ parts: [[String]?], level: UInt64 = 0) throws(CatalogError)
    -> [String]
  {
    let text = write(catalog, to: CatalogWriter(Fixture.release, hasParts: true), level: level)
    var reader = try CatalogReader(BytesSource(text), path: "catalog")
    var parts = parts[...]
    var found: [String] = []
    while let item = try reader.nextItem() {
      let regions = reader.regions.map(\.id.text).joined(separator: ",")
      switch item {
      case .component(let entry): found.append("\(entry.name.id) in \(regions)")
      case .part(let part):
        guard let lines = parts.popFirst() ?? nil else {
          found.append("\(part.first)…\(part.last) in \(regions)")
          continue
        }
        let inner = write(lines, to: CatalogWriter(), level: max(level, 1) - 1)
        try reader.enter(part, BytesSource(inner, piece: 5), path: "part")
      }
    }
    return found
  }

  private func flaw(_ catalog: [String], _ parts: [[String]?], level: UInt64 = 0) -> XMLFlaw? {
    CatalogTests.flaw { () throws(CatalogError) in _ = try read(catalog, parts, level: level) }
  }

  @Test("a part that is entered is read in its place, and any other is passed over")
  func entered() throws {
    let catalog = ["r e", "p e/a e/f", "p e/g e/z", "p f f"]
    let parts = [["c e/a", "r e/b", "c e/b/1", "c e/f"], nil, ["c f"]]
    #expect(
      try read(catalog, parts) == [
        "e/a in e", "e/b/1 in e,e/b", "e/f in e", "e/g…e/z in e", "f in ",
      ])
  }

  @Test("a region that begins in the middle of a part is named in each part that it is in")
  func straddling() throws {
    let catalog = ["p d/a e/b", "r e", "p e/c e/d", "p e/e e/e"]
    let parts = [["r d", "c d/a", "r e", "c e/b"], ["c e/c", "c e/d"], ["c e/e"]]
    #expect(try read(catalog, parts) == ["d/a in d", "e/b in e", "e/c in e", "e/d in e", "e/e in e"])
  }

  @Test("parts may list parts, of one level less each")
  func levels() throws {
    let found = try read(["p a/b a/d"], [["r a", "p a/b a/c", "p a/d a/d"], nil, ["c a/d"]], level: 1)
    #expect(found == ["a/b…a/c in a", "a/d in "] || found == ["a/b…a/c in a", "a/d in a"])
    #expect(found.last == "a/d in a")
  }

  @Test(
    "a part that lists other packages than the catalog says is refused",
    arguments: [
      (["c a/b", "c a/d"], .notInPart(id: "a/b")), (["c a/a", "c a/e"], .notInPart(id: "a/e")),
      (["c a/a"], .truncated), ([], .truncated), (["p a/a a/d"], .notInPart(id: "a/a")),
      (["c a/a", "c a/a"], .unsorted(ComponentName(id: "a/a", dataGroup: "base"))),
      (["c a/a", "c a/a/b", "c a/d"], .nestedPackage(id: "a/a/b")),
      (["r b", "c a/a", "c a/d"], .misplacedRegion(id: "b")),
      (["r a", "c a/a", "c a/d"], .misplacedRegion(id: "a")),
      (["c a/a", "c a/d", "r a/e"], .misplacedRegion(id: "a/e")),
    ] as [([String], XMLFlaw)])
  func wrong(part: [String], expected: XMLFlaw) { #expect(flaw(["r a", "p a/a a/d"], [part]) == expected) }

  @Test(
    "a part out of order is refused, also where it is passed over",
    arguments: [
      (["p b a"], .unsortedPart(from: "b")), (["p a c", "p b d"], .unsortedPart(from: "b")),
      (["p a c", "p c d"], .unsortedPart(from: "c")), (["p b c", "p a a"], .unsortedPart(from: "a")),
      (["p a c", "c b"], .unsorted(ComponentName(id: "b", dataGroup: "base"))),
      (["p a c", "c c"], .unsorted(ComponentName(id: "c", dataGroup: "base"))),
      (["p a b", "p b/c d"], .nestedPackage(id: "b/c")), (["p a a/b"], .nestedPackage(id: "a/b")),
      (["r b", "p a b/c"], .misplacedRegion(id: "b")), (["p b/a b/c", "r b"], .misplacedRegion(id: "b")),
    ] as [([String], XMLFlaw)])
  func unsorted(catalog: [String], expected: XMLFlaw) { #expect(flaw(catalog, []) == expected) }

  @Test("a part of the level of its own document is refused, so that their depth is bounded")
  func endless() {
    #expect(flaw(["p a b"], [["p a b"], ["p a b"]], level: 0) == .notInPart(id: "a"))
    #expect(flaw(["p a b"], [], level: CatalogLimits.partLevels) == .invalid(attribute: "level"))
  }

  @Test("a catalog of the first version has no parts, and a reader that expects none refuses them")
  func versions() throws {
    let text = write(["p a b"], to: CatalogWriter(Fixture.release))
    var reader = try CatalogReader(BytesSource(text), path: "catalog")
    #expect(
      CatalogTests.flaw { () throws(CatalogError) in _ = try reader.nextItem() } == .unexpectedElement("part")
    )
    var other = try CatalogReader(
      BytesSource(write(["p a b"], to: CatalogWriter(Fixture.release, hasParts: true))), path: "catalog")
    let hasParts = other.hasParts
    #expect(hasParts)
    #expect(
      CatalogTests.flaw { () throws(CatalogError) in _ = try other.next() } == .unexpectedElement("part"))
  }

  @Test("a part is written byte for byte as the format says, and read back")
  func bytes() throws {
    var writer = CatalogWriter(Fixture.release, hasParts: true)
    let part = CatalogPartTests.part(from: "europe/a", to: "europe/malta")
    writer.add(part)
    writer.finish()
    let text = writer.takeText()
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <catalog version="2" release="3" label="2023-11-30">
          <part first="europe/a" last="europe/malta" level="0" packages="2" size="9" \
        sha256="\(Fixture.digest(7).hex)" url="catalogs/x.update.xz">
            <bounds south="35.80646" west="14.18361" north="36.08244" east="14.57615"/>
            <data-group name="base" components="2" size="1000" download="600" index-size="5"/>
          </part>
        </catalog>

        """)
    var reader = try CatalogReader(BytesSource(text), path: "catalog")
    #expect(try reader.nextItem() == .part(part))
    #expect(try reader.nextItem() == nil)
  }

  /// The file of a part of these components, as `tinypublish` writes it; `outline` lists those of its outline.
  private func outlined(_ entries: [CatalogEntry], outline: [CatalogEntry]? = nil) -> String {
    var writer = CatalogWriter()
    writer.openOutline()
    writer.add(Region(id: "a", names: [LocalizedName(language: "", text: "A")]))
    for entry in outline ?? entries { writer.add(outlined: entry) }
    writer.closeOutline()
    writer.add(Region(id: "a", names: [LocalizedName(language: "", text: "A")]))
    for entry in entries { writer.add(entry) }
    writer.finish()
    return writer.takeText()
  }

  /// The items of a catalog with one part, which is read by its outline or not.
  private func items(
    _ part: String, from first: PackageID, to last: PackageID, byOutline: Bool
  ) throws(CatalogError) -> [CatalogEntry] {
    let text = write(
      ["p \(first) \(last)", "p x x"], to: CatalogWriter(Fixture.release, hasParts: true))
    var reader = try CatalogReader(BytesSource(text), path: "catalog", detail: .full)
    guard case .part(let listed) = try reader.nextItem() else { return [] }
    try reader.enter(listed, BytesSource(part, piece: 5), path: "part", byOutline: byOutline)
    var found: [CatalogEntry] = []
    while let item = try reader.nextItem() {
      switch item {
      case .component(let entry):
        found.append(entry)
        let names = reader.regions.map(\.id)
        #expect(names == ["a"])
      case .part(let next): #expect(next.first == "x" && next.last == "x")
      }
    }
    return found
  }

  private static var several: [CatalogEntry] {
    var entries = [Fixture.entry("a/b"), Fixture.entry("a/b", dataGroup: "search"), Fixture.entry("a/c")]
    entries[1].packed = nil
    entries[2].description.indexSize = 77
    entries[2].description.isDetail = true
    return entries
  }

  @Test("a part is read by its outline, which has what listings show, or passed over it")
  func outline() throws {
    let entries = Self.several
    let part = outlined(entries)
    #expect(try items(part, from: "a/b", to: "a/c", byOutline: true) == entries.map(\.outlined))
    let whole = try items(part, from: "a/b", to: "a/c", byOutline: false)
    #expect(whole.map(\.digest) == entries.map(\.digest) && whole.map(\.patches) == entries.map(\.patches))
    // Without an outline, a part is read as it is.
    let plain = write(["r a", "c a/b", "c a/c"], to: CatalogWriter())
    #expect(try items(plain, from: "a/b", to: "a/c", byOutline: true).map(\.patches.count) == [2, 2])
    let short = entries[2].outlined
    #expect(short.size == entries[2].size && short.fullDownload == entries[2].fullDownload)
    #expect(short.description.indexSize == 77 && short.description.isDetail && short.patches.isEmpty)
    #expect(short.description.geography.names == entries[2].description.geography.names)
  }

  @Test("an outline is written byte for byte as the format says")
  func outlineBytes() {
    var writer = CatalogWriter()
    writer.openOutline()
    for entry in Self.several { writer.add(outlined: entry) }
    writer.closeOutline()
    let memory = Fixture.entry("a/b").packed?.memory ?? 0
    let names = Fixture.entry("a/b").description.geography.names.map { name in
      name.language.isEmpty
        ? "      <name>\(name.text)</name>\n"
        : "      <name xml:lang=\"\(name.language)\">\(name.text)</name>\n"
    }.joined()
    #expect(
      writer.takeText() == """
        <?xml version="1.0" encoding="UTF-8"?>
        <part version="1">
          <outline>
            <component id="a/b" data-group="base" size="500" packed="300" memory="\(memory)">
        \(names)    </component>
            <component id="a/b" data-group="search" size="500">
        \(names)    </component>
            <component id="a/c" data-group="base" size="500" index-size="77" packed="300" memory="\(memory)" detail="1">
        \(names)    </component>
          </outline>

        """)
  }

  @Test("an outline that lists other packages than its part, or in another order, is refused")
  func wrongOutline() {
    let entries = Self.several
    for (outline, flaw) in [
      ([], .misplacedRegion(id: "a")), (Array(entries.dropLast()), .truncated),
      (Array(entries.dropFirst(2)), .notInPart(id: "a/c")),
      ([entries[1], entries[0], entries[2]], .unsorted(entries[0].name)),
      (entries + [Fixture.entry("a/d")], .notInPart(id: "a/d")),
    ] as [([CatalogEntry], XMLFlaw)] {
      let part = outlined(entries, outline: outline)
      let found = CatalogTests.flaw { () throws(CatalogError) in
        _ = try items(part, from: "a/b", to: "a/c", byOutline: true)
      }
      #expect(found == flaw, "\(outline.map(\.name.path))")
      // Who does not ask for it does not care.
      #expect(throws: Never.self) { try items(part, from: "a/b", to: "a/c", byOutline: false) }
    }
  }

  @Test("any byte of a part may be another one, and the reader ends with an error or an answer")
  func mutations() {
    let part = Array(outlined(Self.several).utf8)
    var generator = SeededGenerator(1)
    for _ in 0..<400 {
      var bytes = part
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      _ = CatalogTests.flaw { () throws(CatalogError) in
        let text = write(["p a/b a/c"], to: CatalogWriter(Fixture.release, hasParts: true))
        var reader = try CatalogReader(BytesSource(text), path: "catalog", detail: .full)
        guard case .part(let listed) = try reader.nextItem() else { return }
        let source = BytesSource(String(decoding: bytes, as: UTF8.self))
        try reader.enter(listed, source, path: "part", byOutline: Bool.random(using: &generator))
        while try reader.nextItem() != nil {}
      }
    }
  }

  @Test(
    "the box of two boxes is the smallest one around both, over the antimeridian too",
    arguments: [
      ([0, 10], [20, 30], [0, 30]), ([170, 180], [-180, -170], [170, -170]),
      ([170, -170], [160, 175], [160, -170]),
      ([-180, 180], [5, 6], [-180, 180]), ([0, 20], [10, 12], [0, 20]),
      ([-100, -90], [100, 110], [100, -90]),
      ([-120, 60], [50, -110], [-180, 180]),
    ] as [([Int32], [Int32], [Int32])])
  func union(a: [Int32], b: [Int32], expected: [Int32]) throws {
    func box(_ arc: [Int32]) throws -> Bounds {
      try #require(
        Bounds(
          south: Degrees(tenMillionths: 0), west: Degrees(tenMillionths: arc[0] * 10_000_000),
          north: Degrees(tenMillionths: 1), east: Degrees(tenMillionths: arc[1] * 10_000_000)))
    }
    #expect(try box(a).union(box(b)) == box(expected))
    #expect(try box(b).union(box(a)) == box(expected))
  }
}
