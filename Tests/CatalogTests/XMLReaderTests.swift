import CatalogWriting
import Platform
import Testing

@testable import Catalog

@Suite("XMLReader")
struct XMLReaderTests {
  @Test("a document with a DOCTYPE is refused, whatever is in it")
  func doctype() {
    #expect(flaw("<!DOCTYPE releases><map/>") == .hasDoctype)
    let laughs = """
      <?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><releases version="1">&b;</map>
      """
    #expect(flaw(laughs) == .hasDoctype)
    #expect(flaw("<!DOCTYPE r SYSTEM \"file:///etc/passwd\"><map/>") == .hasDoctype)
  }

  @Test("a tag that does not end is refused before it is held")
  func hugeTag() {
    let attributes = (0..<20_000).map { " a\($0)=\"1\"" }.joined()
    #expect(flaw("<map\(attributes)/>") == .tooLarge)
    #expect(flaw("<map><\(String(repeating: "x", count: 300_000))") == .tooLarge)
    #expect(flaw("<map><!--\(String(repeating: "x", count: 300_000))") == .tooLarge)
  }

  @Test("a document of more bytes than a reader counts is refused where it goes beyond")
  func hugeDocument() throws {
    #expect(CatalogLimits.document < 1 << 31)
    let text = "<map>\n" + String(repeating: "<x/>\n", count: 20_000) + "</map>"
    let size = UInt64(text.utf8.count)
    func read(limit: UInt64) throws(CatalogError) -> Int {
      var reader = try XMLReader(BytesSource(text), path: "map.xml", limit: limit)
      var count = 0
      while true {
        if case .finish = try reader.next() { return count }
        count += 1
      }
    }
    #expect(try read(limit: size) == 40_002)
    do throws(CatalogError) {
      _ = try read(limit: size - 1)
      Issue.record("it was read")
    } catch {
      guard case .malformed("map.xml", _, .documentTooLarge(limit: size - 1)) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.sentence.hasSuffix("the document has more than \(ByteCount(size - 1).text)"))
    }
  }

  @Test("an attribute of more than 512 bytes is refused")
  func hugeAttribute() {
    #expect(
      flaw("<map><x a=\"\(String(repeating: "y", count: 512))\"/></map>") == nil)
    #expect(
      flaw("<map><x a=\"\(String(repeating: "y", count: 513))\"/></map>") == .tooLarge
    )
  }

  @Test("a text of more than a mebibyte is refused")
  func hugeText() {
    let text = String(repeating: "y", count: CatalogLimits.text + 1)
    #expect(flaw("<map><x>\(text)</x></map>") == .tooLarge)
  }

  @Test("elements nest eight deep")
  func depth() {
    func nested(_ count: Int) -> String {
      String(repeating: "<x>", count: count) + String(repeating: "</x>", count: count)
    }
    #expect(flaw("<map>\(nested(7))</map>") == nil)
    #expect(flaw("<map>\(nested(8))</map>") == .tooDeep)
  }

  @Test("broken XML is refused with its line")
  func broken() {
    do throws(CatalogError) {
      _ = try MapFile(BytesSource("<map>\n\n</release>"), path: "r.xml")
      Issue.record("it was read")
    } catch {
      #expect(error == .malformed(path: "r.xml", line: 3, .syntax(expat: 7)))
      #expect(error.sentence == "r.xml, line 3: the XML is malformed (expat error 7)")
    }
    #expect(flaw("") == .truncated)
    #expect(flaw("<map>") == .truncated)
    #expect(flaw("<map/><x/>") == .syntax(expat: 9))
    #expect(flaw("<map>\u{1}</map>") == .syntax(expat: 4))
  }

  @Test("a name is all of its text, with its references resolved")
  func text() throws {
    let map = try MapFile(
      BytesSource("<map><name>\n  A &amp; B&#233; <!-- c --> D\n</name></map>", piece: 1), path: "map.xml")
    #expect(map.geography.names == [LocalizedName(language: "", text: "A & Bé  D")])
  }

  private func flaw(_ text: String) -> XMLFlaw? {
    CatalogTests.flaw { () throws(CatalogError) in
      _ = try MapFile(BytesSource(text), path: "map.xml")
    }
  }
}
