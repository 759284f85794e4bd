internal import CJansson
internal import Platform

/// A value in a `JSONDocument`, which must outlive it.
package struct JSONValue {
  private let raw: UnsafeMutablePointer<json_t>

  init(_ raw: UnsafeMutablePointer<json_t>) { self.raw = raw }

  package enum Kind: Equatable { case object, array, text, whole, fraction, flag, null }

  package var kind: Kind {
    switch tu_json_type(raw) {
    case JSON_OBJECT: .object
    case JSON_ARRAY: .array
    case JSON_STRING: .text
    case JSON_INTEGER: .whole
    case JSON_TRUE, JSON_FALSE: .flag
    case JSON_NULL: .null
    default: .fraction
    }
  }

  /// The bytes of a string; nil if it is none.
  var bytes: [UInt8]? {
    guard let start = json_string_value(raw) else { return nil }
    let raw = UnsafeRawBufferPointer(start: start, count: json_string_length(raw))
    return Array(raw)
  }

  package var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  /// A whole number; nil if it is none.
  package var whole: Int64? { kind == .whole ? json_integer_value(raw) : nil }

  package var flag: Bool? {
    switch tu_json_type(raw) {
    case JSON_TRUE: true
    case JSON_FALSE: false
    default: nil
    }
  }

  // MARK: - Members and elements

  /// The member of an object; nil if there is none, or this is no object.
  package func member(_ name: Name) -> JSONValue? {
    name.bytes.withUnsafeBytes { name in
      json_object_getn(raw, name.baseAddress?.assumingMemoryBound(to: CChar.self), name.count)
        .map { JSONValue($0) }
    }
  }

  package func member(_ name: String) -> JSONValue? { member(Name(name)) }

  /// How many members or elements it has; 0 for everything else.
  var count: Int { kind == .array ? json_array_size(raw) : json_object_size(raw) }

  /// Calls `body` with the members of an object, in no order.
  func forEachMember<Failure>(_ body: (Name, JSONValue) throws(Failure) -> Void) throws(Failure) {
    var iterator = json_object_iter(raw)
    while let current = iterator {
      if let key = json_object_iter_key(current), let value = json_object_iter_value(current) {
        let bytes = UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(current))
        try body(Name(bytes: Array(bytes)), JSONValue(value))
      }
      iterator = json_object_iter_next(raw, current)
    }
  }

  /// Calls `body` with the elements of an array.
  func forEachElement<Failure>(_ body: (JSONValue) throws(Failure) -> Void) throws(Failure) {
    for index in 0..<json_array_size(raw) {
      if let element = json_array_get(raw, index) { try body(JSONValue(element)) }
    }
  }

  // MARK: - The whole

  /// Refuses what metadata may not hold: fractions, and more levels than a recursion should go down.
  func check(depth: Int = 1) throws(JSONError) {
    if kind == .fraction { throw .fraction }
    guard kind == .object || kind == .array else { return }
    guard depth <= Limits.depth else { throw .tooDeep }
    try forEachMember { (_, value) throws(JSONError) in try value.check(depth: depth + 1) }
    try forEachElement { (value) throws(JSONError) in try value.check(depth: depth + 1) }
  }

  /// The bytes that signatures are made over (OLPC canonical JSON, as in securesystemslib).
  ///
  /// No white space, members sorted by the bytes of their names, and in strings only `"` and `\` escaped:
  /// line feeds stand there as they are, so it is often not JSON.
  package var canonical: [UInt8] {
    var bytes: [UInt8] = []
    writeCanonical(to: &bytes)
    return bytes
  }

  private func writeCanonical(to bytes: inout [UInt8]) {
    switch kind {
    case .object:
      var members: [(name: Name, value: JSONValue)] = []
      forEachMember { members.append(($0, $1)) }
      members.sort { $0.name < $1.name }
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONValue.quote(member.name.bytes, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.writeCanonical(to: &bytes)
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
    case .whole: bytes += "\(json_integer_value(raw))".utf8
    case .flag: bytes += (flag == true ? "true" : "false").utf8
    case .null: bytes += "null".utf8
    case .fraction: break  // refused by `check`
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
