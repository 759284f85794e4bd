import Testing

@testable import MapModel

@Suite("Identifier")
struct IdentifierTests {
  private static let long = String(repeating: "x", count: 200)

  @Test(
    "an id is one to eight parts that cannot leave their directory",
    arguments: [
      ("europe/malta", true), ("malta", true), ("1/2/3/4/5/6/7/8", true), ("île-de-france", true),
      ("a:b", true),
      ("a.b/c..d", true), ("-/-", true), (long, true),
      ("", false), ("/", false), ("/malta", false), ("malta/", false), ("a//b", false), (".", false),
      ("..", false),
      ("a/../b", false), ("a/.b", false), ("a b", false), ("a\tb", false), ("a\nb", false),
      ("a\u{7f}", false),
      ("a\u{9b}31m", false), ("a\u{80}", false), ("\u{202e}a", false), ("a/\u{2066}b", false),
      ("a\u{200f}", false), ("\u{61c}", false), ("a\u{2028}b", false), ("île/Ünye/日本/مصر", true),
      ("a\\b", false), ("a\u{0}b", false), ("1/2/3/4/5/6/7/8/9", false), (long + "x", false),
    ])
  func package(id: String, isValid: Bool) { #expect(Identifier.isPackage(id) == isValid) }

  @Test(
    "a data group is one part of at most 64 bytes",
    arguments: [
      ("base", true), ("poi.v2", true), (String(repeating: "x", count: 64), true),
      ("", false), ("a/b", false), (".base", false), ("ba se", false),
      (String(repeating: "x", count: 65), false),
    ])
  func dataGroup(name: String, isValid: Bool) { #expect(Identifier.isDataGroup(name) == isValid) }

  @Test(
    "a payload is named by a relative path without a scheme",
    arguments: [
      ("components/00.dat", true), ("a", true),
      ("", false), ("/a", false), ("http://host/a", false), ("a:b", false), ("../a", false),
      ("a/../b", false),
      ("a//b", false), ("a/", false),
    ])
  func relativePath(path: String, isValid: Bool) { #expect(Identifier.isRelativePath(path) == isValid) }

  @Test(
    "a region contains itself and what is below it, and nothing that only begins alike",
    arguments: [
      ("europe", "europe", true), ("europe", "europe/malta", true),
      ("europe/france", "europe/france/alsace", true),
      ("europe", "europes", false), ("europe", "europe-west/malta", false), ("europe/malta", "europe", false),
      ("europe/mal", "europe/malta", false), ("malta", "europe/malta", false),
      ("europe", "Europe/malta", false), (composed, decomposed, false),
    ])
  func region(region: String, id: String, expected: Bool) {
    #expect(Identifier.region(region, contains: id) == expected)
  }

  @Test("names are the same if their bytes are")
  func same() {
    #expect(composed == decomposed)  // which is why `==` is of no use here
    #expect(Identifier.isSame(composed, composed) && !Identifier.isSame(composed, decomposed))
    #expect(Identifier.areSame(["a", composed], ["a", composed]))
    #expect(!Identifier.areSame(["a", composed], ["a", decomposed]) && !Identifier.areSame(["a"], []))
  }
}

/// The same letter in one scalar and in two: equal as `String`, and not as bytes.
private let (composed, decomposed) = ("\u{e9}", "e\u{301}")
