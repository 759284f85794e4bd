internal import JSONReading

/// Decodes a parsed value.
///
/// It throws `DecodingError` without details: no caller asks for them.
struct JSONReader: Decoder {
  private let json: JSONValue

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ json: JSONValue) { self.json = json }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let scalar: Any?
    switch type {
    case is String.Type: scalar = json.text
    case is Bool.Type: scalar = json.flag
    case let number as any FixedWidthInteger.Type: scalar = json.whole.flatMap { whole(number, $0) }
    default: return try type.init(from: self)
    }
    guard let value = scalar as? Value else { throw JSONReader.otherType }
    return value
  }

  private func whole<Number: FixedWidthInteger>(_ type: Number.Type, _ value: Int64) -> Number? {
    Number(exactly: value)
  }

  fileprivate static var otherType: DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "another type"))
  }

  // MARK: - Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard json.kind == .object else { throw JSONReader.otherType }
    return KeyedDecodingContainer(Members<Key>(json: json))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard json.kind == .array else { throw JSONReader.otherType }
    var elements: [JSONValue] = []
    json.forEachElement { elements.append($0) }
    return Elements(elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(json: json) }

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let json: JSONValue
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { unused() }

    func contains(_ key: Key) -> Bool { json.member(key.stringValue) != nil }

    private func member(_ key: Key) throws -> JSONReader {
      guard let member = json.member(key.stringValue) else { throw JSONReader.otherType }
      return JSONReader(member)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).json.kind == .null }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try member(key).value(type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey: Key)
      -> KeyedDecodingContainer<Nested>
    { unused() }
    func nestedUnkeyedContainer(forKey: Key) -> any UnkeyedDecodingContainer { unused() }
    func superDecoder() -> any Decoder { unused() }
    func superDecoder(forKey: Key) -> any Decoder { unused() }
  }

  private struct Elements: UnkeyedDecodingContainer {
    private let elements: [JSONValue]
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(_ elements: [JSONValue]) { self.elements = elements }

    private func next() throws -> JSONReader {
      guard !isAtEnd else { throw JSONReader.otherType }
      return JSONReader(elements[currentIndex])
    }

    mutating func decodeNil() throws -> Bool {
      guard try next().json.kind == .null else { return false }
      currentIndex += 1
      return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let value = try next().value(type)
      currentIndex += 1
      return value
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedDecodingContainer<Nested> {
      unused()
    }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { unused() }
    func superDecoder() -> any Decoder { unused() }
  }

  private struct Single: SingleValueDecodingContainer {
    let json: JSONValue
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { json.kind == .null }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try JSONReader(json).value(type) }
  }
}
