/// A value of a parsed JSON text, which it keeps alive.
package struct JSONValue {
  private let tape: JSONTape
  private let index: Int

  private init(_ tape: JSONTape, at index: Int) {
    self.tape = tape
    self.index = index
  }

  /// Parses all of `bytes`, which must be an object or an array without fractions.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    self.init(try JSONParser.parse(bytes), at: 0)
    if tape.nodes.contains(where: { $0.kind == .fraction }) { throw .fraction }
  }

  /// The same, with any numbers: for a message, which is not signed.
  package init(message bytes: [UInt8]) throws(JSONError) {
    self.init(try JSONParser.parse(bytes), at: 0)
  }

  package enum Kind: Equatable { case object, array, text, whole, fraction, flag, null }

  private var node: JSONNode { tape.nodes[index] }

  package var kind: Kind {
    switch node.kind {
    case .object: .object
    case .array: .array
    case .text: .text
    case .whole: .whole
    case .fraction: .fraction
    case .yes, .no: .flag
    case .null: .null
    }
  }

  /// The bytes of a string; nil if it is none.
  package var bytes: [UInt8]? { node.kind == .text ? JSONString.bytes(node, in: tape.text) : nil }

  package var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  /// A whole number; nil if it is none.
  package var whole: Int64? {
    guard node.kind == .whole else { return nil }
    return JSONNumber.whole(tape.text[Int(node.start)..<Int(node.start + node.count)])
  }

  /// Any number as it is written; nil if it is none.
  package var number: String? {
    guard node.kind == .whole || node.kind == .fraction else { return nil }
    return String(decoding: tape.text[Int(node.start)..<Int(node.start + node.count)], as: UTF8.self)
  }

  package var flag: Bool? {
    switch node.kind {
    case .yes: true
    case .no: false
    default: nil
    }
  }

  // MARK: - Members and elements

  /// The member of an object; nil if there is none, or this is not an object.
  package func member(_ name: Name) -> JSONValue? {
    guard node.kind == .object else { return nil }
    var range = names
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      let found = self.name(middle)
      if found == name { return value(middle) }
      range = found < name ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  package func member(_ name: String) -> JSONValue? { member(Name(name)) }

  /// The number of members or elements; 0 for everything else.
  package var count: Int { node.kind == .object || node.kind == .array ? Int(node.count) : 0 }

  /// Calls `body` with the members of an object, sorted by the bytes of their names.
  package func forEachMember<Failure>(_ body: (Name, JSONValue) throws(Failure) -> Void) throws(Failure) {
    guard node.kind == .object else { return }
    for position in names { try body(name(position), value(position)) }
  }

  /// Calls `body` with the elements of an array.
  package func forEachElement<Failure>(_ body: (JSONValue) throws(Failure) -> Void) throws(Failure) {
    guard node.kind == .array else { return }
    var element = index + 1
    while element < node.next {
      try body(JSONValue(tape, at: element))
      element = Int(tape.nodes[element].next)
    }
  }

  /// The element of an array at `position`; nil beyond the last, or if this is not an array.
  package func element(_ position: Int) -> JSONValue? {
    guard node.kind == .array, position >= 0, position < count else { return nil }
    var element = index + 1
    for _ in 0..<position { element = Int(tape.nodes[element].next) }
    return JSONValue(tape, at: element)
  }

  /// Calls `body` with the members of an object, in the order of the text.
  package func forEachWrittenMember(_ body: (Name, JSONValue) -> Void) {
    guard node.kind == .object else { return }
    var member = index + 1
    while member < node.next {
      body(Name(bytes: JSONString.bytes(tape.nodes[member], in: tape.text)), JSONValue(tape, at: member + 1))
      member = Int(tape.nodes[member + 1].next)
    }
  }

  /// Where the names of an object's members are in `order`.
  private var names: Range<Int> { Int(node.start)..<Int(node.start + node.count) }

  private func name(_ position: Int) -> Name {
    Name(bytes: JSONString.bytes(tape.nodes[Int(tape.order[position])], in: tape.text))
  }

  private func value(_ position: Int) -> JSONValue { JSONValue(tape, at: Int(tape.order[position]) + 1) }

  // MARK: - Canonical form

  /// The bytes that signatures are made over (OLPC canonical JSON, as in securesystemslib).
  ///
  /// No white space, members sorted by the bytes of their names, and in strings only `"` and `\` escaped:
  /// line feeds stay as they are, so it is often not JSON.
  package var canonical: [UInt8] {
    var bytes: [UInt8] = []
    // Never longer than the text: what has escapes here has them there.
    bytes.reserveCapacity(tape.text.count)
    writeCanonical(to: &bytes)
    return bytes
  }

  /// Recursion of at most `JSONLimits.depth` levels: the parser takes no more.
  private func writeCanonical(to bytes: inout [UInt8]) {
    switch node.kind {
    case .object:
      bytes.append(UInt8(ascii: "{"))
      for position in names {
        if position > names.lowerBound { bytes.append(UInt8(ascii: ",")) }
        JSONValue.quote(name(position).bytes, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value(position).writeCanonical(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    case .array:
      bytes.append(UInt8(ascii: "["))
      var isFirst = true
      forEachElement {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        $0.writeCanonical(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .text: JSONValue.quote(self.bytes ?? [], to: &bytes)
    case .whole: bytes += "\(whole ?? 0)".utf8
    case .fraction: bytes += (number ?? "0").utf8  // of a message, which is not signed
    case .yes: bytes += "true".utf8
    case .no: bytes += "false".utf8
    case .null: bytes += "null".utf8
    }
  }

  private static func quote(_ text: [UInt8], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
