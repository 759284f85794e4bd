import TestSupport
import Testing

@testable import MapModel

@Suite("ComponentName")
struct ComponentNameTests {
  @Test(
    "names are ordered by the bytes of the id, then of the data group",
    arguments: [
      (("a", "base"), ("a", "base"), nil), (("a", "base"), ("a", "poi"), true),
      (("a", "poi"), ("b", "base"), true), (("a", "base"), ("a/b", "base"), true),
      (("a-b", "base"), ("a/b", "base"), true), (("B", "base"), ("a", "base"), true),
      (("z", "base"), ("\u{e9}", "base"), true), (("e\u{301}", "base"), ("\u{e9}", "base"), true),
      (("a", "e\u{301}"), ("a", "\u{e9}"), true),
    ] as [((String, String), (String, String), Bool?)])
  func order(a: (String, String), b: (String, String), isBefore: Bool?) throws {
    let (a, b) = (
      try #require(ComponentName(a.0, dataGroup: a.1)), try #require(ComponentName(b.0, dataGroup: b.1))
    )
    #expect((a == b) == (isBefore == nil))
    #expect((a < b) == (isBefore == true))
    #expect((b < a) == (isBefore == false))
  }

  @Test("a component and its index lie in a directory of the package")
  func paths() {
    let name = ComponentName(id: "europe/malta", dataGroup: "poi")
    #expect(name.path == "europe/malta/poi.dat")
    #expect(name.indexPath == "europe/malta/poi.index")
  }
}
