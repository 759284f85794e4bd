import Testing

@testable import JSONReading

@Suite("Canonical JSON")
struct CanonicalJSONTests {
  private func canonical(_ text: String) throws(JSONError) -> String {
    String(decoding: try JSONValue(parsing: Array(text.utf8)).canonical, as: UTF8.self)
  }

  @Test(
    "P11: white space goes, members are sorted by their bytes, and only quotation marks and backslashes are escaped",
    arguments: [
      (#"{ "b" : 1, "a" : [ true, false, null ] }"#, #"{"a":[true,false,null],"b":1}"#),
      (#"{"pem":"-----BEGIN\nKEY\/\u00e4\t"}"#, "{\"pem\":\"-----BEGIN\nKEY/ä\t\"}"),
      (#"["\"\\\u0001"]"#, "[\"\\\"\\\\\u{1}\"]"),
      (
        #"[-9223372036854775808, 9223372036854775807, 0, -0]"#,
        "[-9223372036854775808,9223372036854775807,0,0]"
      ),
      // By bytes: U+FFFD is before U+1F600, which UTF-16 order has the other way round.
      (
        "{\"\u{1F600}\":1,\"\u{FFFD}\":2,\"a\":3,\"Z\":4}", "{\"Z\":4,\"a\":3,\"\u{FFFD}\":2,\"\u{1F600}\":1}"
      ),
      (#"{"":{}}"#, #"{"":{}}"#), ("[]", "[]"),
    ])
  func form(_ text: String, _ expected: String) throws {
    #expect(try canonical(text).utf8.elementsEqual(expected.utf8))
  }

  @Test("two names that are canonically equivalent are two members")
  func noNormalization() throws {
    let text = "{\"cafe\u{301}\":2,\"caf\u{e9}\":1}"
    #expect(try canonical(text).utf8.elementsEqual(text.utf8))
  }

  @Test(
    "P9: what is not JSON, or cannot be signed, is refused",
    arguments: [
      "", " ", "{", "}", "[", "nul", "1", "\"text\"", "{} {}", "[1,]", "{\"a\":1,\"a\":2}",
      "{\"a\":1,\"\\u0061\":2}",
      "[9223372036854775808]", "[\"\\ud800\"]", "[\"\\u0000\"]", "{\"\\u0000\":1}", "[NaN]",
      "[Infinity]",
      "[01]", "['a']", "\u{FEFF}[]", "[1]x",
    ])
  func refused(_ text: String) {
    #expect { try canonical(text) } throws: { error in
      guard case .syntax = error as? JSONError else { return false }
      return true
    }
  }

  @Test("bytes that are not UTF-8 are refused")
  func notUTF8() {
    for bytes: [UInt8] in [[0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe4]] {
      #expect(throws: JSONError.self) {
        _ = try JSONValue(parsing: Array("[\"".utf8) + bytes + Array("\"]".utf8))
      }
    }
  }

  @Test(
    "numbers with a fraction or an exponent are refused",
    arguments: ["[1.0]", "[1e400]", "{\"a\":[2e3]}", "[-0.5]"])
  func fractions(_ text: String) {
    #expect(throws: JSONError.fraction) { try canonical(text) }
  }

  @Test("levels up to the limit are taken, and not one more")
  func depth() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(try canonical(nested(JSONLimits.depth)) == nested(JSONLimits.depth))
    #expect(throws: JSONError.tooDeep) { try canonical(nested(JSONLimits.depth + 1)) }
    #expect(throws: JSONError.self) { try canonical(nested(100_000)) }
  }
}
