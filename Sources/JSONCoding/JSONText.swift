internal import Platform

/// The text of one value, while it is encoded.
final class JSONText: Encoder {
  private enum Shape { case scalar, object, array }

  private var shape = Shape.scalar
  private var body = ""

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func of(_ value: some Encodable) -> String {
    if let text = scalar(value) { return text }
    let text = JSONText()
    // Only a type that throws by itself could fail: nothing here does.
    do { try value.encode(to: text) } catch { preconditionFailure("\(type(of: value)) cannot be encoded") }
    return text.complete
  }

  private var complete: String {
    switch shape {
    case .scalar: body.isEmpty ? "null" : body
    case .object: "{\(body)}"
    case .array: "[\(body)]"
    }
  }

  /// The text of a string, flag or number; nil for everything else.
  private static func scalar<Value>(_ value: Value) -> String? {
    switch value {
    case let text as String: JSON.quoted(text)
    case let flag as Bool: flag ? "true" : "false"
    case let number as any BinaryInteger: "\(Int64(clamping: number))"
    default: nil
    }
  }

  private func add(_ text: String, as name: String? = nil) {
    if shape != .scalar && !body.isEmpty { body += "," }
    if let name { body += JSON.quoted(name) + ":" }
    body += text
  }

  // MARK: - Containers

  /// A second container of the same value adds to the first.
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    shape = .object
    return KeyedEncodingContainer(Members<Key>(text: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    shape = .array
    return Elements(text: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(text: self) }

  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let text: JSONText
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { text.add("null", as: key.stringValue) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
      text.add(JSONText.of(value), as: key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey: Key)
      -> KeyedEncodingContainer<Nested>
    { unused() }
    func nestedUnkeyedContainer(forKey: Key) -> any UnkeyedEncodingContainer { unused() }
    func superEncoder() -> any Encoder { unused() }
    func superEncoder(forKey: Key) -> any Encoder { unused() }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let text: JSONText
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(text: JSONText) { self.text = text }

    mutating func encodeNil() {
      count += 1
      text.add("null")
    }
    mutating func encode<Value: Encodable>(_ value: Value) {
      count += 1
      text.add(JSONText.of(value))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
      unused()
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unused() }
    func superEncoder() -> any Encoder { unused() }
  }

  private struct Single: SingleValueEncodingContainer {
    let text: JSONText
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { text.add("null") }
    func encode<Value: Encodable>(_ value: Value) { text.add(JSONText.of(value)) }
  }
}

/// Containers within containers, and those of superclasses: values that are encoded as wholes have neither.
func unused(_ function: StaticString = #function) -> Never { preconditionFailure("\(function)") }
