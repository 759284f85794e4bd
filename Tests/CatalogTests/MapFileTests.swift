import CatalogWriting
import MapModel
import TestSupport
import Testing

@testable import Catalog

@Suite("MapFile")
struct MapFileTests {
  @Test("everything that a map.xml can contain is read")
  func whole() throws {
    let map = try read(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <map id="europe/malta" group="Europe" country="Malta" region="" minimum-reader="2" index-size="10">
        <name>Malta</name>
        <bounds south="35.80646" west="14.18361" north="36.08244" east="14.57615"/>
        <polygon>35.8,14.5
          35.9,14.6   36,14.5</polygon>
        <data-group name="search" index-size="300"/>
        <data-group name="render" minimum-reader="3"/>
        <later/>
      </map>
      """)
    #expect(map.id == "europe/malta")
    #expect(map.group == "Europe")
    #expect(map.country == "Malta")
    #expect(map.region == "")
    #expect(map.geography.bounds == Fixture.bounds)
    #expect(map.geography.polygons == ["35.8,14.5 35.9,14.6 36,14.5"])
    #expect(map.needs(of: "base").indexSize == 10)
    #expect(map.needs(of: "search").indexSize == 300)
    #expect(map.needs(of: "search").minimumReader == 2)
    #expect(map.needs(of: "render").minimumReader == 3)
  }

  @Test("what it does not say is nil")
  func empty() throws { #expect(try read("<map/>") == MapFile()) }

  @Test(
    "what cannot be published is refused",
    arguments: [
      ("<map id=\"/x\"/>", XMLFlaw.invalid(attribute: "id")),
      ("<map index-size=\"much\"/>", .invalid(attribute: "index-size")),
      ("<map><data-group/></map>", .missing(attribute: "name")),
      ("<map><polygon>1,2 3,4</polygon></map>", .invalid(attribute: "polygon")),
      ("<map><polygon>1,2 3,4 91,5</polygon></map>", .invalid(attribute: "polygon")),
      ("<map><polygon>1,2 3,4 5;6</polygon></map>", .invalid(attribute: "polygon")),
      ("<map><bounds south=\"1\"/></map>", .missing(attribute: "west")),
      ("<maps/>", .unexpectedElement("maps")),
      ("<map><name/></map>", .invalid(attribute: "name")),
    ])
  func refused(text: String, expected: XMLFlaw) {
    #expect(flaw { () throws(CatalogError) in _ = try read(text) } == expected)
  }

  private func read(_ text: String) throws(CatalogError) -> MapFile {
    try MapFile(BytesSource(text), path: MapFile.fileName)
  }
}
