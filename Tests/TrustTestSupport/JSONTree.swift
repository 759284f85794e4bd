package import JSONReading

/// A JSON value that a test takes apart and puts together as it likes.
package indirect enum JSONTree: Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  case object([String: JSONTree])
  case array([JSONTree])
  case text(String)
  case number(Int)
  case flag(Bool)
  /// Written as it is.
  case raw(String)

  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int) { self = .number(value) }
  package init(booleanLiteral value: Bool) { self = .flag(value) }
  package init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONTree)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }

  /// Parses a text that has to be right.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    self.init(try JSONValue(parsing: bytes))
  }

  private init(_ value: JSONValue) {
    switch value.kind {
    case .object:
      var members: [String: JSONTree] = [:]
      value.forEachMember { members[$0.text] = JSONTree($1) }
      self = .object(members)
    case .array:
      var elements: [JSONTree] = []
      value.forEachElement { elements.append(JSONTree($0)) }
      self = .array(elements)
    case .text: self = .text(value.text ?? "")
    case .whole: self = .number(Int(value.whole ?? 0))
    case .fraction: self = .raw(value.number ?? "0")
    case .flag: self = .flag(value.flag ?? false)
    case .null: self = .raw("null")
    }
  }

  /// A member of an object; setting nil removes it.
  package subscript(name: String) -> JSONTree? {
    get {
      guard case .object(let members) = self else { return nil }
      return members[name]
    }
    set {
      guard case .object(var members) = self else { return }
      members[name] = newValue
      self = .object(members)
    }
  }

  /// The same through several levels; all but the last must exist.
  package subscript(path: [String]) -> JSONTree? {
    get { path.reduce(Optional(self)) { tree, name in tree?[name] } }
    set {
      guard let first = path.first else { return }
      if path.count == 1 {
        self[first] = newValue
      } else if var child = self[first] {
        child[Array(path.dropFirst())] = newValue
        self[first] = child
      }
    }
  }

  package var number: Int {
    if case .number(let number) = self { number } else { 0 }
  }

  package var elements: [JSONTree] {
    if case .array(let elements) = self { elements } else { [] }
  }

  /// The text, members in order of their names.
  package var json: String {
    switch self {
    case .object(let members):
      let list = members.sorted { $0.key < $1.key }.map { "\(JSONTree.quoted($0.key)):\($0.value.json)" }
      return "{\(list.joined(separator: ","))}"
    case .array(let elements): return "[\(elements.map(\.json).joined(separator: ","))]"
    case .text(let text): return JSONTree.quoted(text)
    case .number(let number): return "\(number)"
    case .flag(let flag): return flag ? "true" : "false"
    case .raw(let text): return text
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
