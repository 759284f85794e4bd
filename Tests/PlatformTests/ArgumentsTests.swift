import CPlatform
import TestSupport
import Testing

@testable import Platform

/// getopt(3) keeps its place in global variables: one test after the other.
@Suite("Arguments", .serialized)
struct ArgumentsTests {
  private func parse(_ words: [String]) throws(ArgumentError) -> (operands: [String], options: [String]) {
    var values = (["program"] + words).map { strdup($0) }
    defer { for value in values { free(value) } }
    values.append(nil)
    let line = try values.withUnsafeMutableBufferPointer { (values) throws(ArgumentError) in
      guard let first = values.baseAddress else { fatalError("there is an argument") }
      return try Arguments(
        count: CInt(words.count + 1), values: first,
        accepting: [
          .init("json", letter: "j"), .init("config", letter: "c", takesValue: true),
          .init("root", takesValue: true),
        ])
    }
    return (line.operands, line.options.map { "\($0.name)=\($0.value)" })
  }

  @Test(
    "a negative number is an operand in any position",
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
    let line = try parse(words)
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
    let line = try parse(words)
    #expect(line.operands == operands && line.options == options)
  }

  @Test(
    "an unknown option or a missing value is refused, with the operands before it",
    arguments: [
      ("-x", .unknownOption("-x")), ("--frob", .unknownOption("--frob")), ("-jx", .unknownOption("-jx")),
      ("--json=1", .unknownOption("--json=1")), ("--config", .missingValue("--config")),
      ("-c", .missingValue("-c")), ("-jc", .missingValue("-jc")),
    ] as [(String, ArgumentError.Flaw)])
  func refused(word: String, flaw: ArgumentError.Flaw) {
    #expect(throws: ArgumentError(flaw, operands: ["a"])) { try parse(["a", word]) }
  }
}
