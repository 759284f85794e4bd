import TestSupport
import Testing

@testable import MapModel

@Suite("PackageID")
struct PackageIDTests {
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
  func validity(id: String, isValid: Bool) { #expect((PackageID(id) != nil) == isValid) }

  @Test(
    "a region contains itself and what is below it, and nothing that only begins alike",
    arguments: [
      ("europe", "europe", true), ("europe", "europe/malta", true),
      ("europe/france", "europe/france/alsace", true),
      ("europe", "europes", false), ("europe", "europe-west/malta", false), ("europe/malta", "europe", false),
      ("europe/mal", "europe/malta", false), ("malta", "europe/malta", false),
      ("europe", "Europe/malta", false), ("\(composed)", "\(decomposed)", false),
    ] as [(PackageID, PackageID, Bool)])
  func region(region: PackageID, id: PackageID, expected: Bool) {
    #expect(region.contains(id) == expected)
  }

  @Test("the regions above an id are its parts before the last, the outermost first")
  func regions() {
    let id: PackageID = "europe/france/grand-est/alsace"
    #expect(id.regions(below: nil) == ["europe", "europe/france", "europe/france/grand-est"])
    #expect(id.regions(below: "europe/france") == ["europe/france/grand-est"])
    #expect(id.regions(below: "europe/france/grand-est") == [])
    #expect(id.parent == "europe/france/grand-est" && id.lastPart == "alsace")
    let top: PackageID = "europe"
    #expect(top.regions(below: nil) == [] && top.parent == nil && top.lastPart == "europe")
  }

  @Test("ids are equal and ordered by their bytes, and printed as they are")
  func bytes() {
    #expect(composed == decomposed)  // as strings
    let (one, two): (PackageID, PackageID) = ("\(composed)", "\(decomposed)")
    #expect(one != two && two < one)
    #expect("\(two)".utf8.elementsEqual(decomposed.utf8))
  }
}

/// The same letter in one scalar and in two: equal as `String`, and not as bytes.
private let (composed, decomposed) = ("\u{e9}", "e\u{301}")
