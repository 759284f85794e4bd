import Testing

@testable import Platform

@Suite("Progress bar")
struct ProgressBarTests {
  @Test("the bar never gets wider than the terminal", arguments: [24, 40, 60, 80, 120, 200])
  func width(columns: Int) throws {
    var bar = ProgressBar()
    Clock.sleep(milliseconds: 520)  // it says how fast it goes only after half a second
    for done in [0, 1, 50_000_000, 99_999_999, 100_000_000] as [UInt64] {
      let text = bar.line(
        done: done, total: 100_000_000, note: "europe/france/ile-de-france base, 17 waiting",
        columns: columns, force: true)
      let line = try #require(text)
      #expect(line.count < max(columns, 40), "\(line)")
      #expect(line.hasPrefix("["))
    }
  }

  @Test("a narrow terminal loses the note first, then what is left, then how fast it goes")
  func pieces() throws {
    var bar = ProgressBar()
    Clock.sleep(milliseconds: 520)
    func line(_ columns: Int) throws -> String {
      let text = bar.line(
        done: 50_000, total: 100_000, note: "a note of thirty-one characters", columns: columns, force: true)
      return try #require(text)
    }
    #expect(try line(40) == "[#####-----] 50 %  50.0 kB of 100 kB")
    #expect(try line(52).contains("/s") && !line(52).contains("left"))
    #expect(try line(62).contains("left") && !line(62).contains("note"))
    #expect(try line(110).hasSuffix("  a note of thirty-one characters"))
    #expect(try line(84).contains("  …"))
  }

  @Test("a line that was drawn a moment ago is not drawn again")
  func rate() {
    var bar = ProgressBar()
    let first = bar.line(done: 0, total: 10, note: "", columns: 80)
    let second = bar.line(done: 1, total: 10, note: "", columns: 80)
    let third = bar.line(done: 1, total: 10, note: "", columns: 80, force: true)
    #expect(first != nil && second == nil && third != nil)
  }

  @Test("what is cut is marked in ASCII where that is asked for")
  func mark() throws {
    var bar = ProgressBar()
    let note = String(repeating: "n", count: 100)
    let text = bar.line(done: 0, total: 10, note: note, columns: 80, mark: "~")
    let line = try #require(text)
    #expect(line.contains("~") && line.utf8.allSatisfy { $0 < 0x80 })
  }
}
