internal import Platform

/// Parses a JSON text (RFC 8259) into a tape, without recursion.
///
/// What it allocates is computed from the text beforehand: each value but the outermost follows one of `[ { , :`
/// outside of strings, and each member has one `:`.
struct JSONParser {
  private let text: [UInt8]
  private var position = 0
  private var nodes: [JSONNode] = []
  private var order: [UInt32] = []
  /// The containers that are not closed yet, the outermost first.
  private var open: [Int] = []

  private init(_ text: [UInt8]) { self.text = text }

  /// Parses all of `text`, which must be an object or an array.
  static func parse(_ text: [UInt8]) throws(JSONError) -> JSONTape {
    var parser = JSONParser(text)
    try parser.reserve()
    try parser.parse()
    return JSONTape(text: text, nodes: parser.nodes, order: parser.order)
  }

  /// Sets aside what the tape can take at most, or refuses.
  private mutating func reserve() throws(JSONError) {
    // Verifying a signature makes a second copy, the canonical one, which is no longer.
    var most = text.count * 2
    guard most <= JSONLimits.document else { throw .outOfMemory }
    var (values, members) = (1, 0)
    var (isString, isEscape) = (false, false)
    for byte in text {
      if isEscape {
        isEscape = false
      } else if byte == UInt8(ascii: "\"") {
        isString.toggle()
      } else if isString {
        isEscape = byte == UInt8(ascii: "\\")
      } else {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","): values += 1
        case UInt8(ascii: ":"):
          values += 1
          members += 1
        default: break
        }
      }
    }
    most += values * MemoryLayout<JSONNode>.stride + members * MemoryLayout<UInt32>.stride
    guard most <= JSONLimits.document else { throw .outOfMemory }
    nodes.reserveCapacity(values)
    order.reserveCapacity(members)
    open.reserveCapacity(JSONLimits.depth)
  }

  private mutating func parse() throws(JSONError) {
    skipBlanks()
    guard next == UInt8(ascii: "{") || next == UInt8(ascii: "[") else {
      throw syntax("an object or an array is expected")
    }
    try parseValue()
    while let container = open.last { try parseNext(in: container) }
    skipBlanks()
    guard position == text.count else { throw syntax("something follows the end") }
  }

  /// The next member or element of a container, or its end.
  private mutating func parseNext(in container: Int) throws(JSONError) {
    let isObject = nodes[container].kind == .object
    skipBlanks()
    if next == UInt8(ascii: isObject ? "}" : "]") {
      position += 1
      return try close(container)
    }
    if nodes[container].count > 0 {
      try expect(
        UInt8(ascii: ","), saying: isObject ? "\",\" or \"}\" is expected" : "\",\" or \"]\" is expected")
      skipBlanks()
    }
    nodes[container].count += 1
    if isObject {
      guard next == UInt8(ascii: "\"") else { throw syntax("the name of a member is expected") }
      try parseString()
      skipBlanks()
      try expect(UInt8(ascii: ":"), saying: "\":\" is expected")
      skipBlanks()
    }
    try parseValue()
  }

  private mutating func parseValue() throws(JSONError) {
    switch next {
    case UInt8(ascii: "{"): try begin(.object)
    case UInt8(ascii: "["): try begin(.array)
    case UInt8(ascii: "\""): try parseString()
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): try parseNumber()
    case UInt8(ascii: "t"): try parseWord("true", as: .yes)
    case UInt8(ascii: "f"): try parseWord("false", as: .no)
    case UInt8(ascii: "n"): try parseWord("null", as: .null)
    default: throw syntax("a value is expected")
    }
  }

  // MARK: - Containers

  private mutating func begin(_ kind: JSONNode.Kind) throws(JSONError) {
    guard open.count < JSONLimits.depth else { throw .tooDeep }
    position += 1
    open.append(nodes.count)
    nodes.append(JSONNode(kind: kind, start: 0, count: 0, next: 0))
  }

  private mutating func close(_ container: Int) throws(JSONError) {
    open.removeLast()
    nodes[container].next = UInt32(nodes.count)
    guard nodes[container].kind == .object else { return }
    let first = order.count
    nodes[container].start = UInt32(first)
    var name = container + 1
    while name < nodes.count {
      order.append(UInt32(name))
      name = Int(nodes[name + 1].next)
    }
    try sortNames(from: first)
  }

  private mutating func sortNames(from first: Int) throws(JSONError) {
    let (text, nodes) = (text, nodes)
    order.withUnsafeMutableBufferPointer { order in
      // In place, and at worst n log n comparisons.
      var names = UnsafeMutableBufferPointer(rebasing: order[first...])
      names.sort { JSONParser.precedes(nodes[Int($0)], nodes[Int($1)], in: text) }
    }
    for index in order.indices.dropFirst(first + 1) {
      let (before, name) = (nodes[Int(order[index - 1])], nodes[Int(order[index])])
      guard JSONParser.precedes(before, name, in: text) else {
        throw .syntax(offset: Int(max(before.start, name.start)), "a second member of this name")
      }
    }
  }

  private static func precedes(_ a: JSONNode, _ b: JSONNode, in text: [UInt8]) -> Bool {
    guard !a.isEscaped, !b.isEscaped else {
      return JSONString.bytes(a, in: text).lexicographicallyPrecedes(JSONString.bytes(b, in: text))
    }
    return text[Int(a.start)..<Int(a.start + a.count)].lexicographicallyPrecedes(
      text[Int(b.start)..<Int(b.start + b.count)])
  }

  // MARK: - Strings

  private mutating func parseString() throws(JSONError) {
    position += 1
    let start = position
    var isEscaped = false
    while let byte = next, byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        try skipEscape()
      } else if byte < 0x20 {
        throw syntax("a control character in a string")
      } else if byte < 0x80 {
        position += 1
      } else {
        try skipSequence()
      }
    }
    guard next != nil else { throw syntax("a string without an end") }
    add(.text, from: start, isEscaped: isEscaped)
    position += 1
  }

  private mutating func skipEscape() throws(JSONError) {
    guard position + 1 < text.count else { throw syntax("an escape without an end") }
    if JSONString.character(text[position + 1]) != nil {
      position += 2
      return
    }
    let unit = try takeHexUnit()
    switch unit {
    case 0: throw syntax("NUL in a string")
    case 0xd800...0xdbff:
      guard 0xdc00...0xdfff ~= (try takeHexUnit()) else { throw syntax("half a surrogate pair") }
    case 0xdc00...0xdfff: throw syntax("half a surrogate pair")
    default: break
    }
  }

  /// `\u` and four digits.
  private mutating func takeHexUnit() throws(JSONError) -> UInt16 {
    guard text.count - position >= 6, text[position] == UInt8(ascii: "\\"),
      text[position + 1] == UInt8(ascii: "u")
    else { throw syntax("an escape that JSON does not have") }
    var unit: UInt16 = 0
    for digit in text[position + 2..<position + 6] {
      guard let value = Hex.value(digit) else { throw syntax("an escape that JSON does not have") }
      unit = unit << 4 | UInt16(value)
    }
    position += 6
    return unit
  }

  /// One character beyond ASCII, well formed by table 3-7 of the Unicode standard.
  private mutating func skipSequence() throws(JSONError) {
    let second: ClosedRange<UInt8>
    let count: Int
    switch text[position] {
    case 0xc2...0xdf: (second, count) = (0x80...0xbf, 2)
    case 0xe0: (second, count) = (0xa0...0xbf, 3)
    case 0xed: (second, count) = (0x80...0x9f, 3)
    case 0xe1...0xef: (second, count) = (0x80...0xbf, 3)
    case 0xf0: (second, count) = (0x90...0xbf, 4)
    case 0xf1...0xf3: (second, count) = (0x80...0xbf, 4)
    case 0xf4: (second, count) = (0x80...0x8f, 4)
    default: throw syntax("not UTF-8")
    }
    guard text.count - position >= count, second ~= text[position + 1],
      text[position + 2..<position + count].allSatisfy({ 0x80...0xbf ~= $0 })
    else { throw syntax("not UTF-8") }
    position += count
  }

  // MARK: - Numbers and words

  private mutating func parseNumber() throws(JSONError) {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let first = position
    while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
    guard position > first else { throw syntax("a digit is expected") }
    guard text[first] != UInt8(ascii: "0") || position == first + 1 else {
      throw syntax("a number that begins with 0")
    }
    if try skipFraction() {
      add(.fraction, from: start)
    } else {
      guard JSONNumber.whole(text[start..<position]) != nil else { throw syntax("a number beyond 64 bits") }
      add(.whole, from: start)
    }
  }

  /// Skips what makes a number one that is not written as a whole one; false if there is nothing of it.
  private mutating func skipFraction() throws(JSONError) -> Bool {
    let start = position
    if next == UInt8(ascii: ".") {
      position += 1
      try skipDigits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { position += 1 }
      try skipDigits()
    }
    return position > start
  }

  private mutating func skipDigits() throws(JSONError) {
    let first = position
    while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
    guard position > first else { throw syntax("a digit is expected") }
  }

  private mutating func parseWord(_ word: StaticString, as kind: JSONNode.Kind) throws(JSONError) {
    let count = word.utf8CodeUnitCount
    guard text.count - position >= count,
      text[position..<position + count].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: count))
    else { throw syntax("a value is expected") }
    position += count
    nodes.append(JSONNode(kind: kind, start: 0, count: 0, next: UInt32(nodes.count + 1)))
  }

  // MARK: - Bytes

  /// The byte at the position; nil at the end.
  private var next: UInt8? { position < text.count ? text[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  private mutating func expect(_ byte: UInt8, saying words: String) throws(JSONError) {
    guard next == byte else { throw syntax(words) }
    position += 1
  }

  private mutating func add(_ kind: JSONNode.Kind, from start: Int, isEscaped: Bool = false) {
    nodes.append(
      JSONNode(
        kind: kind, isEscaped: isEscaped, start: UInt32(start), count: UInt32(position - start),
        next: UInt32(nodes.count + 1)))
  }

  private func syntax(_ words: String) -> JSONError { .syntax(offset: position, words) }
}
