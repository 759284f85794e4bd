internal import Crypto
internal import MapModel
internal import Platform

/// The attributes of one element, each asked for by name and checked.
package struct XMLAttributes {
  private let list: [XMLAttribute]
  private let path: String
  private let position: XMLPosition

  package init(_ list: [XMLAttribute], path: String, at position: XMLPosition) {
    self.list = list
    self.path = path
    self.position = position
  }

  package func refused(_ flaw: XMLFlaw) -> CatalogError { .malformed(path: path, line: position.line, flaw) }

  package func optional(_ name: String) -> String? { list.first { $0.name == name }?.value }

  package func text(_ name: String) throws(CatalogError) -> String {
    guard let value = optional(name) else { throw refused(.missing(attribute: name)) }
    return value
  }

  package func text(_ name: String, where isValid: (String) -> Bool) throws(CatalogError) -> String {
    let value = try text(name)
    guard isValid(value) else { throw refused(.invalid(attribute: name)) }
    return value
  }

  /// Says one of two words; left out, it is the second.
  package func claim(_ name: String, yes: String, no: String) throws(CatalogError) -> Bool {
    guard let value = optional(name) else { return false }
    guard value == yes || value == no else { throw refused(.invalid(attribute: name)) }
    return value == yes
  }

  package func number(_ name: String) throws(CatalogError) -> UInt64 {
    let value = try text(name)
    // Sizes and numbers travel through signed 64-bit interfaces (off_t, JSON readers).
    guard let number = UInt64(ascii: value.utf8), number <= UInt64(Int64.max) else {
      throw refused(.invalid(attribute: name))
    }
    return number
  }

  /// The value that `parse` makes of an attribute.
  package func value<Value>(_ name: String, _ parse: (String) -> Value?) throws(CatalogError) -> Value {
    guard let value = parse(try text(name)) else { throw refused(.invalid(attribute: name)) }
    return value
  }

  func digest(_ name: String) throws(CatalogError) -> Digest { try value(name) { Digest(hex: $0) } }

  func degrees(_ name: String) throws(CatalogError) -> Degrees { try value(name) { Degrees($0) } }

  /// Refuses a document of a later format.
  func checkVersion() throws(CatalogError) { _ = try version(upTo: 1) }

  /// The version of the document; refuses one above `newest`.
  func version(upTo newest: UInt64) throws(CatalogError) -> UInt64 {
    let version = try number("version")
    guard (1...newest).contains(version) else { throw refused(.unsupportedVersion) }
    return version
  }

  func release(number: String) throws(CatalogError) -> Release {
    Release(number: try self.number(number), label: try text("label", where: Identifier.isLabel))
  }
}
