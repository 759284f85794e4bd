import CPlatform
import TestSupport
import Testing

@testable import Platform

/// getopt(3) keeps its place in global variables: one test after the other.
@Suite("Arguments", .serialized)
struct ArgumentsTests {
  private func parse(_ words: [String]) -> (operands: [String], options: [String])? {
    var values = (["program"] + words).map { strdup($0) }
    defer { for value in values { free(value) } }
    values.append(nil)
    let line = values.withUnsafeMutableBufferPointer { values in
      values.baseAddress.flatMap {
        Arguments(
          count: CInt(words.count + 1), values: $0,
          accepting: [
            .init("json", "j"), .init("config", "c", takesValue: true), .init("root", takesValue: true),
          ])
      }
    }
    return line.map { ($0.operands, $0.options.map { "\($0.name)=\($0.value)" }) }
  }

  @Test(
    "a negative number is an operand wherever it stands",
    arguments: [
      (["at", "-33.9", "18.4"], ["at", "-33.9", "18.4"], []),
      (["at", "18.4", "-33.9"], ["at", "18.4", "-33.9"], []),
      (["-5"], ["-5"], []), (["-5", "-.5", "-j", "-6"], ["-5", "-.5", "-6"], ["json="]),
      (["-j", "at", "-1", "-2", "--root", "x"], ["at", "-1", "-2"], ["json=", "root=x"]),
      (["-c", "-5", "-5"], ["-5"], ["config=-5"]), (["--root", "-5"], [], ["root=-5"]),
      (["--root=-5", "-5"], ["-5"], ["root=-5"]), (["-c-5"], [], ["config=-5"]),
      (["--", "-5", "-j"], ["-5", "-j"], []), (["-5", "--", "-x"], ["-5", "-x"], []),
    ])
  func numbers(words: [String], operands: [String], options: [String]) throws {
    let line = try #require(parse(words))
    #expect(line.operands == operands && line.options == options)
  }

  @Test(
    "options stand in any place, and operands keep their order",
    arguments: [
      ([], [], []), (["a", "-j", "b"], ["a", "b"], ["json="]),
      (["-jc", "f", "a"], ["a"], ["json=", "config=f"]),
      (["a", "--config=x", "--", "--json"], ["a", "--json"], ["config=x"]), (["-", "a"], ["-", "a"], []),
    ])
  func order(words: [String], operands: [String], options: [String]) throws {
    let line = try #require(parse(words))
    #expect(line.operands == operands && line.options == options)
  }

  @Test("an unknown option or a missing value is refused", arguments: ["-x", "--frob", "--config", "-c"])
  func refused(word: String) { #expect(parse(["a", word]) == nil) }
}
