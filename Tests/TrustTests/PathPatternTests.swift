import JSONReading
import Testing
import Trust

@testable import TrustDelegation

@Suite("Path pattern")
struct PathPatternTests {
  @Test(
    "P7: `*` and `?` never cross a slash, and everything else matches itself",
    arguments: [
      ("*", "a", true), ("*", "a/b", false), ("*/*", "a/b", true), ("*/*", "a", false), ("*", "", true),
      ("maps/*.dat", "maps/a.dat", true), ("maps/*.dat", "maps/.dat", true),
      ("maps/*.dat", "maps/a.dat.xz", false),
      ("maps/*.dat", "maps/x/a.dat", false), ("a?c", "abc", true), ("a?c", "a/c", false),
      ("a?c", "ac", false),
      ("a?c", "aäc", true), ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false), ("a*", "A", false),
      ("[ab]", "a", false), ("[ab]", "[ab]", true), ("[", "[", true), ("a\\b", "a\\b", true),
      ("/a", "a", false), ("a/", "a", false), ("", "", true), ("", "a", false), ("./a", "a", false),
    ])
  func matches(_ pattern: String, _ path: String, _ expected: Bool) {
    #expect(PathPattern(Name(pattern)).matches(Name(path)) == expected)
  }

  @Test("P7: two spellings of one letter are two paths")
  func noNormalization() {
    #expect(!PathPattern(Name("caf\u{e9}")).matches(Name("cafe\u{301}")))
    #expect(Name("caf\u{e9}") != Name("cafe\u{301}"))
  }

  @Test("a pattern that is made to be slow is not")
  func hostilePattern() {
    let pattern = String(repeating: "*a", count: 500) + "b"
    #expect(!PathPattern(Name(pattern)).matches(Name(String(repeating: "a", count: 1000))))
  }
}
