import Foundation
import TestSupport
import Testing

@testable import JSONReading

@Suite("JSON parser")
struct JSONParserTests {
  @Test(
    "what an error says is where it is",
    arguments: [
      ("[1,]", 3, "a value is expected"), ("[1 2]", 3, "\",\" or \"]\" is expected"),
      ("{\"a\" 1}", 5, "\":\" is expected"), ("{1:2}", 1, "the name of a member is expected"),
      ("{\"a\":1,\"b\":2,\"a\":3}", 14, "a second member of this name"),
      ("[01]", 3, "a number that begins with 0"),
      ("[\"\\x\"]", 2, "an escape that JSON does not have"),
      ("[\"\\ud800x\"]", 8, "an escape that JSON does not have"),
      ("[\"\\ud800\\u0041\"]", 14, "half a surrogate pair"), ("[\"\\udc00\"]", 8, "half a surrogate pair"),
      ("[\"a\nb\"]", 3, "a control character in a string"), ("[\"a", 3, "a string without an end"),
      ("[-]", 2, "a digit is expected"), ("[tru]", 1, "a value is expected"),
      ("[] []", 3, "something follows the end"),
      ("\"a\"", 0, "an object or an array is expected"), ("", 0, "an object or an array is expected"),
    ])
  func offsets(text: String, offset: Int, words: String) {
    #expect(throws: JSONError.syntax(offset: offset, words)) { _ = try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test("members are found by their bytes, however many there are and however they are written")
  func members() throws {
    var random = SeededGenerator(5)
    let names = (0..<500).map { "name\($0 * 7919 % 500)" }
    let order = names.shuffled(using: &random)
    let text = "{" + order.map { "\"\\u006e\($0.dropFirst())\":\"\($0)\"" }.joined(separator: ",") + "}"
    let value = try JSONValue(parsing: Array(text.utf8))
    for name in names { #expect(value.member(name)?.text == name) }
    #expect(value.member("name") == nil)
    #expect(value.member("") == nil)
    #expect(value.count == 500)
  }

  @Test("a text that would take too much is refused before anything of it is parsed")
  func bound() {
    let fits = JSONLimits.document / (2 * 2 + MemoryLayout<JSONNode>.stride)
    for (count, isTaken) in [(fits - 10, true), (fits + 10, false)] {
      // A comma and a digit for each value.
      let text = Array("[0".utf8) + (1..<count).flatMap { _ in ",0".utf8 } + "]".utf8
      if isTaken {
        #expect(throws: Never.self) { _ = try JSONValue(parsing: text) }
      } else {
        #expect(throws: JSONError.outOfMemory) { _ = try JSONValue(parsing: text) }
      }
    }
    // Not even the first byte of this is JSON.
    let noise = [UInt8](repeating: UInt8(ascii: "x"), count: JSONLimits.document / 2 + 1)
    #expect(throws: JSONError.outOfMemory) { _ = try JSONValue(parsing: noise) }
  }

  @Test("the longest file that a publisher signs fits, and lists more than 2000 releases")
  func longestTargets() throws {
    let digest = String(repeating: "0123456789abcdef", count: 4)
    var text = "{\"targets\":{"
    var count = 0
    while text.utf8.count < JSONLimits.document / 4 {
      count += 1
      text += """
        "catalogs/\(count).update.xz":{"custom":{"label":"2024-06-30","release":\(count),"rollout":25},\
        "hashes":{"sha256":"\(digest)"},"length":123456},
        """
    }
    let targets = try JSONValue(parsing: Array((text.dropLast() + "}}").utf8)).member("targets")
    #expect(targets?.count == count)
    #expect(count > 2000)
  }

  /// The rules of metadata, for another parser.
  private static let reference = """
    import json, sys
    def members(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) < len(names): raise ValueError('twice')
        return dict(pairs)
    def refuse(text): raise ValueError(text)
    def check(value, depth=1):
        if isinstance(value, (dict, list)) and depth > 64: raise ValueError('deep')
        if isinstance(value, str):
            value.encode()
            if chr(0) in value: raise ValueError('NUL')
        elif isinstance(value, bool) or value is None: pass
        elif isinstance(value, int):
            if not -2**63 <= value < 2**63: raise ValueError('wide')
        elif isinstance(value, dict):
            for name, member in value.items(): check(name); check(member, depth + 1)
        else:
            for element in value: check(element, depth + 1)
    def canonical(value):
        if isinstance(value, str): return '"' + value.replace(chr(92), chr(92) * 2).replace('"', chr(92) + '"') + '"'
        if isinstance(value, bool): return 'true' if value else 'false'
        if value is None: return 'null'
        if isinstance(value, int): return str(value)
        if isinstance(value, list): return '[' + ','.join(map(canonical, value)) + ']'
        return '{' + ','.join(canonical(n) + ':' + canonical(value[n]) for n in sorted(value, key=str.encode)) + '}'
    data = open(sys.argv[1], 'rb').read()
    position = 0
    while position < len(data):
        size = int.from_bytes(data[position:position + 4], 'little')
        text = data[position + 4:position + 4 + size]
        position += 4 + size
        try:
            value = json.loads(text.decode('utf-8'), object_pairs_hook=members, parse_float=refuse, parse_constant=refuse)
            if not isinstance(value, (dict, list)): raise ValueError('outermost')
            check(value)
            print(canonical(value).encode().hex())
        except (ValueError, RecursionError):
            print('-')
    """

  @Test("it takes what Python's parser takes under the same rules, and means the same by it")
  func reference() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed)
    let samples: [[UInt8]] = [
      #"{"signed":{"_type":"root","version":1,"x":[true,false,null,-12,{}],"é":"a\n\u00e4\\\"\ud83d\ude00"},"b":[]}"#,
      #"[[[]],{"a":{"b":[0,-0,9223372036854775807]},"\u0061b":"\/"},"😀"]"#,
    ].map { Array($0.utf8) }
    let alphabet = Array("[]{}:,\"\\/ubfnrt0189-.eE tru\u{e9}\u{1F600}\u{0}\u{1f}d8dcalsn".utf8)
    var texts: [[UInt8]] = []
    for _ in 0..<4000 {
      var text = samples[Int.random(in: 0..<samples.count, using: &random)]
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let position = Int.random(in: 0..<text.count, using: &random)
        let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text[position] = byte
        case 1: text.insert(byte, at: position)
        case 2: if text.count > 1 { text.remove(at: position) }
        default:
          let end = min(text.count, position + 12)
          text.insert(contentsOf: text[position..<end], at: Int.random(in: 0..<text.count, using: &random))
        }
      }
      texts.append(text)
    }
    let scratch = try Scratch("json")
    try scratch.write("reference.py", JSONParserTests.reference)
    try scratch.write(
      "texts", texts.flatMap { text in (0..<4).map { UInt8(text.count >> ($0 * 8) & 255) } + text })
    let outcome = try ChildProcess.run("python3", ["\(scratch.path)/reference.py", "\(scratch.path)/texts"])
    try #require(outcome.status == 0, "python3: \(outcome.error)")
    let lines = outcome.output.split(separator: "\n")
    try #require(lines.count == texts.count)
    var taken = 0
    for (text, line) in zip(texts, lines) {
      var found = "-"
      do throws(JSONError) {
        found = try JSONValue(parsing: text).canonical.map { String(format: "%02x", $0) }.joined()
        taken += 1
      } catch {}
      #expect(found == line, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
    }
    #expect((500...3500).contains(taken), "seed \(seed)")
  }
}
