import TestSupport
import Testing

@testable import Platform

@Suite("JSON")
struct JSONTests {
  @Test(
    "a text is escaped where it has to be, and nowhere else",
    arguments: [
      ("", "\"\""), ("a/b", "\"a/b\""), ("\"\\", "\"\\\"\\\\\""),
      ("\n\t\u{0}\u{1f}\u{7f}", "\"\\u000a\\u0009\\u0000\\u001f\\u007f\""),
      ("Österreich 🗺", "\"Österreich 🗺\""), ("Â…€؟", "\"Â…€؟\""),
      ("\u{80}\u{9b}\u{9f}", "\"\\u0080\\u009b\\u009f\""),
      ("é\u{202e}\\\u{2066}\u{61c}\u{200e}\u{2029}", "\"é\\u202e\\\\\\u2066\\u061c\\u200e\\u2029\""),
    ])
  func quoted(text: String, expected: String) { #expect(JSON.quoted(text) == expected) }

  @Test("an object holds its values in their order")
  func object() {
    var inner = JSON()
    inner.add("k\"", true)
    var json = JSON()
    json.add("text", "x")
    json.add("number", UInt64.max)
    json.add("negative", -1)
    json.add("object", inner)
    json.add("list", [inner, JSON()])
    json.add("none", [JSON]())
    let expected = """
      {"text":"x","number":9223372036854775807,"negative":-1,"object":{"k\\"":true},\
      "list":[{"k\\"":true},{}],"none":[]}
      """
    #expect(json.text == expected)
  }
}

@Suite("LineReader")
struct LineReaderTests {
  private func lines(_ text: String, limit: Int = 10) throws -> [LineReader.Line] {
    let scratch = try Scratch("lines")
    try scratch.write("file", text)
    var reader = LineReader(try File(opening: "\(scratch.path)/file"), limit: limit)
    var lines: [LineReader.Line] = []
    // A reader whose caller continues after a line that is too long stops all the same.
    while let line = try reader.next(), lines.count < 100 {
      lines.append(line)
      #expect(reader.number == lines.count)
    }
    return lines
  }

  private func line(_ text: String, isWhole: Bool = true) -> LineReader.Line {
    LineReader.Line(bytes: Array(text.utf8), isWhole: isWhole)
  }

  @Test("lines end with a line feed, or with the file")
  func lines() throws {
    #expect(try lines("") == [])
    #expect(try lines("\n") == [line("")])
    #expect(try lines("a\n\nb\n") == [line("a"), line(""), line("b")])
    #expect(try lines("a\nb") == [line("a"), line("b", isWhole: false)])
    #expect(try lines("a\r\n") == [line("a\r")])
  }

  @Test("a line of exactly the limit is whole, of one more it is not")
  func limit() throws {
    #expect(try lines("1234567890\n") == [line("1234567890")])
    #expect(try lines("12345678901\n").first == line("1234567890", isWhole: false))
  }

  @Test("lines continue over the end of the buffer")
  func buffer() throws {
    let long = String(repeating: "x", count: 8190)
    #expect(try lines("\(long)\nabcdef\n", limit: 9000) == [line(long), line("abcdef")])
  }
}

@Suite("Texts of digits and parts")
struct ASCIITests {
  @Test(
    "a number is digits and nothing else, and fits",
    arguments: [
      ("0", 0), ("007", 7), ("18446744073709551615", .max), ("18446744073709551616", nil), ("", nil),
      ("-1", nil),
      ("+1", nil), (" 1", nil), ("1 ", nil), ("1a", nil), ("１", nil),
    ] as [(String, UInt64?)])
  func number(text: String, expected: UInt64?) { #expect(UInt64(ascii: text.utf8) == expected) }

  @Test("hexadecimal digits are small letters")
  func hexadecimal() {
    #expect(UInt8(ascii: "ff".utf8, radix: 16) == 255)
    #expect(UInt8(ascii: "100".utf8, radix: 16) == nil)
    #expect(UInt8(ascii: "FF".utf8, radix: 16) == nil)
  }

  @Test(
    "parts are the text between the separators; the last holds the rest",
    arguments: [
      ("", .max, [""]), ("a", .max, ["a"]), ("a/b/c", .max, ["a", "b", "c"]), ("/a/", .max, ["", "a", ""]),
      ("a/b/c", 2, ["a", "b/c"]), ("a/b/c", 1, ["a/b/c"]),
    ] as [(String, Int, [String])])
  func parts(text: String, limit: Int, expected: [String]) {
    #expect(text.parts(separatedBy: "/", limit: limit) == expected)
  }

  @Test(
    "a size on disk is whole blocks",
    arguments: [(0, 0), (1, 512), (512, 512), (513, 1024)] as [(UInt64, UInt64)])
  func allocated(size: UInt64, expected: UInt64) {
    #expect(Space(available: 0, block: 512).allocated(size) == expected)
  }
}
