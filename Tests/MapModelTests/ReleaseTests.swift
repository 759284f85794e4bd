import Testing

@testable import MapModel

@Suite("Release")
struct ReleaseTests {
  @Test(
    "releases are equal if their numbers and the bytes of their labels are",
    arguments: [
      (4, "\u{e9}t\u{e9}", true), (5, "\u{e9}t\u{e9}", false), (4, "e\u{301}te\u{301}", false),
      (4, "", false),
    ] as [(UInt64, String, Bool)])
  func equality(number: UInt64, label: String, expected: Bool) {
    let release = Release(number: 4, label: "\u{e9}t\u{e9}")
    #expect((Release(number: number, label: label) == release) == expected)
  }
}
