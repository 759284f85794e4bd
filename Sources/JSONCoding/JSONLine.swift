package import JSONReading

/// One value as one line of JSON (RFC 8259), by its conformance to `Codable`.
///
/// Members are written in the order in which they are encoded, which for most types is that of their properties; absent
/// ones are left out. Numbers are whole, and written up to 2^63 - 1.
package enum JSONLine {
  /// The text of a value, without a line feed.
  package static func text(_ value: some Encodable) -> String { JSONText.of(value) }

  /// Why a text is not a value of the type that was asked for.
  package enum Flaw: Error, Equatable {
    case json(JSONError)
    /// It is JSON, and lacks a member or has one of another type.
    case otherType
  }

  /// Parses a value.
  package static func value<Value: Decodable>(
    _ type: Value.Type, parsing bytes: [UInt8]
  ) throws(Flaw) -> Value {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(parsing: bytes) } catch { throw .json(error) }
    do { return try JSONReader(json).value(type) } catch { throw .otherType }
  }
}

/// Two values whose members are those of one object.
package struct Joined<First: Encodable, Second: Encodable>: Encodable {
  private let first: First
  private let second: Second

  package init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

  package func encode(to encoder: any Encoder) throws {
    try first.encode(to: encoder)
    try second.encode(to: encoder)
  }
}
