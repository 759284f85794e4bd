import Testing

@testable import MapManager

@Suite("The screen of the map manager")
struct ScreenTests {
  @Test("sizes have three digits or more and a unit")
  func sizes() {
    #expect(
      [0, 999, 1000, 20_500, 123_456, 999_999, 12_300_000, 5_000_000_000].map(bytes) == [
        "0 B", "999 B", "1.0 kB", "20.5 kB", "123 kB", "999 kB", "12.3 MB", "5.0 GB",
      ])
  }

  @Test("a text is cut to columns, of which some letters take two and others none")
  func columns() {
    #expect("Malta".cut(to: 5) == "Malta")
    #expect("Malta".cut(to: 4) == "Mal…")
    #expect("Malta".cut(to: 0) == "")
    #expect("日本地図".columns == 8)
    #expect("日本地図".cut(to: 6) == "日本…")
    #expect("e\u{301}".columns == 1)
  }

  @Test("what would move the cursor or change the terminal is replaced")
  func controls() {
    #expect("\u{1b}[2J\u{7}a\nb\u{9b}".cut(to: 80) == "?[2J?a?b?")
  }

  @Test("keys are told from what the terminal sends, also several at once, and what is not known is nothing")
  func keys() {
    let cases: [(String, [Terminal.Key])] = [
      ("\u{1b}[A", [.up]), ("\u{1b}[B\u{1b}[B", [.down, .down]), ("\u{1b}OA", [.up]), ("\u{1b}", [.escape]),
      ("iy", [.character("i"), .character("y")]), ("\r", [.enter]), ("\u{3}", [.character("q")]),
      ("\u{1b}[5~\u{1b}[6~", [.pageUp, .pageDown]), ("\u{1b}[15~x", [.escape, .character("x")]),
      ("\u{1b}[", [.escape]),
    ]
    for (text, expected) in cases { #expect(Terminal.keys(Array(text.utf8)) == expected, "\(text)") }
    #expect(Terminal.keys([0xff, 0xfe]).count == 2)
  }

  @Test(
    "a screen of any size has that many lines, none of which is longer", arguments: [1, 2, 40, 80],
    [1, 4, 24])
  func sizes(columns: Int, lines: Int) {
    for page in [Model.Page.maps, .groups, .help, .question(.install("a")), .question(.update)] {
      var model = Model()
      model.page = page
      model.message = String(repeating: "long ", count: 30)
      let shown = Screen(columns: columns, lines: lines).lines(of: model)
      #expect(shown.count == max(lines, 4))
      #expect(shown.allSatisfy { $0.text.columns <= columns }, "\(page)")
    }
  }
}
