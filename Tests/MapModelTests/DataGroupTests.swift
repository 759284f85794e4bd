import Testing

@testable import MapModel

@Suite("DataGroup")
struct DataGroupTests {
  @Test(
    "a data group is one part of at most 64 bytes",
    arguments: [
      ("base", true), ("poi.v2", true), (String(repeating: "x", count: 64), true),
      ("", false), ("a/b", false), (".base", false), ("ba se", false),
      (String(repeating: "x", count: 65), false),
    ])
  func validity(name: String, isValid: Bool) { #expect((DataGroup(name) != nil) == isValid) }
}
