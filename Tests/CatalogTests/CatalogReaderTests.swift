import CatalogWriting
import Codec
import Crypto
import MapModel
import Platform
import TestSupport
import Testing

@testable import Catalog

@Suite("CatalogReader")
struct CatalogReaderTests {
  private static let entries = [
    Fixture.entry("europe/malta", dataGroup: "base"), Fixture.entry("europe/malta", dataGroup: "search"),
    Fixture.entry("europe/malta-gozo"),
  ]

  @Test("a catalog reads back as it was written")
  func roundTrip() throws {
    #expect(try Fixture.read(Fixture.catalog(Self.entries)) == Self.entries)
  }

  @Test("replaced packages stand before the components, in order, each once, and not too many")
  func replaced() throws {
    func read(_ text: String) throws -> [Replacement] {
      var replaced: [Replacement] = []
      try CatalogReader(BytesSource(text), path: "catalog").forEachReplacement { replaced.append($0) }
      return replaced
    }
    let all = [
      Replacement("a", by: "b", release: 2), Replacement("a", by: "c", release: 3, isKept: true),
      Replacement("b", by: "a", release: 1),
    ]
    var writer = CatalogWriter(Release(number: 3, label: "x"))
    for replacement in all { writer.add(replacement) }
    for entry in Self.entries { writer.add(entry) }
    writer.finish()
    let text = writer.takeText()
    #expect(try read(text) == all)
    #expect(try Fixture.read(text) == Self.entries)
    #expect(try read(Fixture.catalog(Self.entries)) == [])
    for (old, new) in [
      ("id=\"b\"", "id=\"a\""), ("by=\"c\"", "by=\"b\""), ("by=\"c\"", "by=\"../c\""),
      ("release=\"3\" kept", "release=\"-3\" kept"), ("kept=\"1\"", "kept=\"2\""),
      ("<replaced id=\"b\"", "<replaced"),
    ] {
      #expect(text.contains(old))
      #expect(throws: CatalogError.self, "\(new)") { try read(text.replacing(old, with: new)) }
    }
    let many = (0...CatalogLimits.replaced).map { number in
      "<replaced id=\"a\" by=\"p\(1_000_000 + number)\" release=\"2\"/>"
    }
    let head = "<catalog version=\"1\" release=\"3\" label=\"x\">"
    #expect(try read(head + many.dropLast().joined() + "</catalog>").count == CatalogLimits.replaced)
    #expect(throws: CatalogError.self) { try read(head + many.joined() + "</catalog>") }
  }

  @Test("an entry is written byte for byte as the format says")
  func bytes() {
    let component = Fixture.document.split(separator: "\n").dropFirst().map { "  \($0)\n" }.joined()
    let one = Fixture.digest(1).hex
    let expected =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<catalog version=\"1\" release=\"3\" label=\"2023-11-30\">\n"
      + component.replacing(
        "minimum-reader=\"0\">",
        with: "minimum-reader=\"0\" size=\"500\" sha256=\"\(one)\" url=\"components/\(one).dat\">"
      ).replacing(
        "  </component>\n",
        with: container("packed", byte: 2, size: 300)
          + container("patch from=\"\(Fixture.digest(3).hex)\"", byte: 4, size: 40)
          + container("patch from=\"\(Fixture.digest(5).hex)\"", byte: 6, size: 60) + "  </component>\n")
      + "</catalog>\n"
    #expect(Fixture.catalog([Fixture.entry("europe/malta")]) == expected)
  }

  private func container(_ tag: String, byte: UInt8, size: Int) -> String {
    let hex = Fixture.digest(byte).hex
    return
      "    <\(tag) url=\"payloads/\(hex).patch\" size=\"\(size)\" head=\"\(hex)\" memory=\"1310720\" format=\"3\"/>\n"
  }

  @Test("a payload says how much of it is compressed again, if anything is")
  func recompressed() throws {
    var entry = Fixture.entry("europe/malta")
    let head = Fixture.digest(2)
    entry.packed = Container(
      url: "payloads/\(head.hex).patch", size: 300, head: head, memory: 1_310_720, recompressed: 4711)
    let text = Fixture.catalog([entry])
    #expect(text.contains("format=\"3\" recompressed=\"4711\"/>"))
    #expect(try Fixture.read(text) == [entry])
    #expect(throws: CatalogError.self) { try Fixture.read(text.replacing("4711", with: "-1")) }
  }

  @Test("a payload of another format is passed over, and one without a format is refused")
  func formats() throws {
    var entry = Fixture.entry("europe/malta")
    let text = Fixture.catalog([entry])
    // Nothing else of such a payload has to be as it is today.
    let packed = text.replacing(
      container("packed", byte: 2, size: 300), with: "<packed format=\"4\" way=\"new\"/>")
    entry.packed = nil
    #expect(try Fixture.read(packed) == [entry])
    #expect(
      try Fixture.read(text.replacing("format=\"3\"", with: "format=\"2\"")) == Fixture.read(text))
    #expect(try Fixture.read(text.replacing("format=\"3\"", with: "format=\"1\"")) == [Self.bare(entry)])
    for (format, expected) in [
      ("", .missing(attribute: "format")), ("format=\"two\"", .invalid(attribute: "format")),
    ] as [(String, XMLFlaw)] {
      let flaw = flaw { () throws(CatalogError) in
        _ = try Fixture.read(text.replacing("format=\"3\"", with: format))
      }
      #expect(flaw == expected)
    }
    for (text, isUnknown) in [(text, false), (packed, true)] {
      var reader = try CatalogReader(BytesSource(text), path: "catalog")
      while try reader.next() != nil {}
      #expect(reader.hasUnknownFormats == isUnknown)
    }
  }

  private static func bare(_ entry: CatalogEntry) -> CatalogEntry {
    var entry = entry
    entry.patches = []
    return entry
  }

  @Test("a catalog can come in pieces of any size", arguments: [1, 2, 7, 8191, 8192])
  func pieces(piece: Int) throws {
    var reader = try CatalogReader(
      BytesSource(Fixture.catalog(Self.entries), piece: piece), path: "catalog", detail: .full)
    #expect(reader.release == Fixture.release)
    for entry in Self.entries { #expect(try reader.next() == entry) }
    #expect(try reader.next() == nil)
    #expect(try reader.next() == nil)
  }

  @Test(
    "entries out of order, or twice, are refused",
    arguments: [
      [("b", "base"), ("a", "base")], [("a", "base"), ("a", "base")], [("a", "search"), ("a", "base")],
      [("a/b", "base"), ("a-b", "base")], [("é", "base"), ("z", "base")],
    ] as [[(PackageID, DataGroup)]])
  func order(names: [(PackageID, DataGroup)]) {
    let text = Fixture.catalog(names.map { Fixture.entry($0.0, dataGroup: $0.1) })
    let expected = XMLFlaw.unsorted(ComponentName(id: names[1].0, dataGroup: names[1].1))
    #expect(flaw { () throws(CatalogError) in _ = try Fixture.read(text) } == expected)
  }

  @Test("names are ordered by their bytes, the id before the data group")
  func names() {
    let sorted =
      [("a", "z"), ("a-b", "a"), ("a/b", "a"), ("a/b", "b"), ("b", "a"), ("é", "a")]
      as [(PackageID, DataGroup)]
    let names = sorted.map { ComponentName(id: $0.0, dataGroup: $0.1) }
    #expect(names.reversed().sorted() == names)
    // One sign in two spellings: two names, as the file system has it.
    #expect(ComponentName(id: "\u{e9}", dataGroup: "a") != ComponentName(id: "e\u{301}", dataGroup: "a"))
  }

  @Test(
    "an entry with an impossible reference is refused",
    arguments: [
      ("url=\"components/", "url=\"/components/", "url"), ("url=\"components/", "url=\"http://x/", "url"),
      ("url=\"payloads/", "url=\"../payloads/", "url"), ("sha256=\"01", "sha256=\"0g", "sha256"),
      ("head=\"02", "head=\"2", "head"), ("from=\"03", "from=\"0A", "from"),
      ("size=\"300\"", "size=\"3e2\"", "size"),
    ])
  func references(old: String, new: String, attribute: String) {
    let text = Fixture.catalog([Fixture.entry("a")]).replacing(old, with: new, maxReplacements: 1)
    let found = flaw { () throws(CatalogError) in _ = try Fixture.read(text) }
    #expect(found == .invalid(attribute: attribute))
  }

  @Test("more patches than a publisher serves are refused")
  func patches() {
    var entry = Fixture.entry("a")
    entry.patches = Array(repeating: entry.patches[0], count: CatalogLimits.patches + 1)
    #expect(flaw { () throws(CatalogError) in _ = try Fixture.read(Fixture.catalog([entry])) } == .tooLarge)
  }

  /// An entry with a hop between two older versions.
  private var hopping: CatalogEntry {
    var entry = Fixture.entry("a")
    let to = Intermediate(digest: Fixture.digest(3), size: 490)
    entry.patches.append(Patch(from: Fixture.digest(7), to: to, container: Fixture.container(8, size: 20)))
    return entry
  }

  @Test("a hop says what it makes, and is not a patch to the entry's own file")
  func hop() throws {
    let text = Fixture.catalog([hopping])
    #expect(text.contains("to=\"\(Fixture.digest(3).hex)\" to-size=\"490\" url="))
    #expect(try Fixture.read(text) == [hopping])
    #expect(hopping.patch(from: Fixture.digest(7)) == nil)
    #expect(hopping.patch(from: Fixture.digest(3)) != nil)
  }

  @Test(
    "a hop that leads nowhere is refused",
    arguments: [
      ("to=\"03", "to=\"0A", XMLFlaw.invalid(attribute: "to")),
      ("to=\"", "two=\"", .missing(attribute: "to")),
      ("to-size=\"490\"", "to-size=\"-1\"", .invalid(attribute: "to-size")),
      ("to-size=\"490\"", "", .missing(attribute: "to-size")),
      (" from=\"\(Fixture.digest(7).hex)", " from=\"\(Fixture.digest(3).hex)", .invalid(attribute: "to")),
    ])
  func wrongHop(old: String, new: String, expected: XMLFlaw) {
    let text = Fixture.catalog([hopping]).replacing(old, with: new, maxReplacements: 1)
    #expect(flaw { () throws(CatalogError) in _ = try Fixture.read(text) } == expected)
  }

  @Test("hops have a limit of their own")
  func hops() throws {
    var entry = hopping
    entry.patches += Array(repeating: entry.patches[2], count: CatalogLimits.hops - 1)
    entry.patches += Array(repeating: entry.patches[0], count: CatalogLimits.patches - 2)
    #expect(try Fixture.read(Fixture.catalog([entry])) == [entry])
    entry.patches.append(entry.patches[2])
    #expect(flaw { () throws(CatalogError) in _ = try Fixture.read(Fixture.catalog([entry])) } == .tooLarge)
  }

  @Test("every prefix and every flipped byte of the XML is refused or gives valid names")
  func hostileText() {
    var entry = hopping
    entry.description.name = ComponentName(id: "europe/malta", dataGroup: "base")
    let bytes = Array(Fixture.catalog([entry]).utf8)
    for mutation in Fixture.mutations(of: bytes) {
      do throws(CatalogError) {
        var reader = try CatalogReader(BytesSource(mutation), path: "catalog", detail: .full)
        while let entry = try reader.next() {
          #expect(PackageID(entry.name.id.text) != nil && Identifier.isRelativePath(entry.url))
        }
      } catch { #expect(!error.sentence.isEmpty) }
    }
  }

  @Test("every prefix and every flipped byte of the packed file is refused or gives the same entries")
  func hostileFile() throws {
    let scratch = try Scratch()
    let entries = [Fixture.entry("europe/malta")]
    let bytes = try Fixture.packed(Fixture.catalog(entries))
    var refused = 0
    for mutation in Fixture.mutations(of: bytes) {
      let file = try scratch.file(mutation)
      do throws(CatalogError) {
        var reader = try CatalogReader(file, detail: .full)
        #expect(try reader.next() == entries[0])
        #expect(try reader.next() == nil)
      } catch { refused += 1 }
    }
    #expect(refused >= bytes.count * 5 - 8)
    // Two streams, or anything after the first.
    for tail in [bytes, [0], [0, 0, 0, 0]] {
      let file = try scratch.file(bytes + tail)
      do throws(CatalogError) {
        var reader = try CatalogReader(file)
        while try reader.next() != nil {}
        Issue.record("it was read")
      } catch { #expect(error == .packed(path: "\(scratch.path)/file", .corrupt)) }
    }
  }

  @Test("fifty thousand entries pass through the memory of one")
  func many() throws {
    var reader = try CatalogReader(ManySource(count: 50_000), path: "catalog")
    var count = 0
    while let entry = try reader.next() {
      count += 1
      #expect(entry.size == 500)
    }
    #expect(count == 50_000)
  }
}

/// A catalog that is made while it is read.
private struct ManySource: ByteSource {
  /// The entry, around its id.
  private let parts: [[UInt8]]
  private let count: Int
  private var next = 0
  private var pending: [UInt8]

  init(count: Int) {
    self.count = count
    var writer = CatalogWriter(Fixture.release)
    pending = Array(writer.takeText().utf8)
    writer.add(Fixture.entry("PLACE"))
    parts = writer.takeText().split(separator: "PLACE").map { Array($0.utf8) }
  }

  mutating func read(into buffer: inout MutableRawSpan) throws(CatalogError) -> Int {
    while pending.isEmpty {
      if next > count { return 0 }
      let id = Array("p\(1_000_000 + next)".utf8)
      pending = next == count ? Array("</catalog>".utf8) : parts[0] + id + parts[1]
      next += 1
    }
    let taken = min(buffer.byteCount, pending.count)
    buffer.withUnsafeMutableBytes { $0.copyBytes(from: pending[..<taken]) }
    pending.removeFirst(taken)
    return taken
  }
}
