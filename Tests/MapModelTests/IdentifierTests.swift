import Testing

@testable import MapModel

@Suite("Identifier")
struct IdentifierTests {
  @Test(
    "a payload is named by a relative path without a scheme",
    arguments: [
      ("components/00.dat", true), ("a", true),
      ("", false), ("/a", false), ("http://host/a", false), ("a:b", false), ("../a", false),
      ("a/../b", false),
      ("a//b", false), ("a/", false),
    ])
  func relativePath(path: String, isValid: Bool) { #expect(Identifier.isRelativePath(path) == isValid) }

  @Test("names are the same if their bytes are")
  func same() {
    #expect(composed == decomposed)  // which is why `==` is of no use here
    #expect(Identifier.isSame(composed, composed) && !Identifier.isSame(composed, decomposed))
  }
}

/// The same letter in one scalar and in two: equal as `String`, and not as bytes.
private let (composed, decomposed) = ("\u{e9}", "e\u{301}")
