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

  @Test(
    "a word that is nothing of the kind is not, nor one that may be several",
    arguments: ["", "a", "x", "upgrade", "lxyt", "pear tree", "bat", String(repeating: "a", count: 1000)])
  func other(word: String) {
    #expect(Spelling.closest(to: word, among: SpellingTests.words + ["bet", "bit"]) == nil)
  }
}
