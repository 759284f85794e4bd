import Testing

@testable import Platform

/// What somebody probably meant.
@Suite("Spelling")
struct SpellingTests {
  private static let words = ["apply", "at", "boot", "check", "install", "list", "near", "plan", "uninstall"]

  @Test(
    "a word with a letter too many, too few, changed or exchanged is found",
    arguments: [
      ("aply", "apply"), ("appply", "apply"), ("isntall", "install"), ("unistall", "uninstall"),
      ("lst", "list"), ("lsit", "list"), ("chek", "check"), ("instal", "install"), ("installl", "install"),
      ("intsal", "install"),
    ])
  func found(word: String, expected: String) {
    #expect(Spelling.closest(to: word, among: SpellingTests.words) == expected)
  }

  @Test("a candidate that comes twice is one, and a closer one takes the place of several")
  func repeated() {
    var spelling = Spelling("malat")
    for candidate in ["malta", "malta", "malaa"] { spelling.consider(Array(candidate.utf8)) }
    #expect(spelling.closest == nil)
    spelling.consider(Array("malat".utf8), as: Array("asia/malat".utf8))
    spelling.consider(Array("malta".utf8))
    #expect(spelling.closest == "asia/malat")
  }

  @Test(
    "a word that is nothing of the kind is not, nor one that may be several",
    arguments: ["", "a", "x", "upgrade", "lxyt", "pear tree", "bat", String(repeating: "a", count: 1000)])
  func other(word: String) {
    #expect(Spelling.closest(to: word, among: SpellingTests.words + ["bet", "bit"]) == nil)
  }
}
