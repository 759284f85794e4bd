package import JSONReading

/// Members that metadata must have; `MetadataFlaw` says which one is not what it should be.
extension JSONValue {
  package func object(_ name: String) throws(MetadataFlaw) -> JSONValue { try required(name, as: .object) }

  package func array(_ name: String) throws(MetadataFlaw) -> JSONValue { try required(name, as: .array) }

  func text(_ name: String) throws(MetadataFlaw) -> String {
    guard let text = member(name)?.text else { throw .member(name) }
    return text
  }

  /// A string that names something; never empty.
  package func name(_ name: String) throws(MetadataFlaw) -> Name {
    guard let bytes = member(name)?.bytes else { throw .member(name) }
    guard !bytes.isEmpty, bytes.count <= TrustLimits.name else { throw .value(name) }
    return Name(bytes: bytes)
  }

  /// A whole number from `least` on.
  func number(_ name: String, from least: UInt64) throws(MetadataFlaw) -> UInt64 {
    guard let whole = member(name)?.whole else { throw .member(name) }
    guard let number = UInt64(exactly: whole), number >= least else { throw .value(name) }
    return number
  }

  /// The same, or nil where there is no such member.
  func numberIfAny(_ name: String, from least: UInt64) throws(MetadataFlaw) -> UInt64? {
    member(name) == nil ? nil : try number(name, from: least)
  }

  package func flag(_ name: String) throws(MetadataFlaw) -> Bool {
    guard let flag = member(name)?.flag else { throw .member(name) }
    return flag
  }

  /// The strings of an array, none of them twice.
  func distinctNames(_ name: String, upTo limit: Int) throws(MetadataFlaw) -> [Name] {
    let array = try array(name)
    guard array.count <= limit else { throw .tooMany(name) }
    var names: [Name] = []
    try array.forEachElement { (element) throws(MetadataFlaw) in
      guard let bytes = element.bytes, bytes.count <= TrustLimits.name else { throw .member(name) }
      guard !names.contains(Name(bytes: bytes)) else { throw .repeated(name) }
      names.append(Name(bytes: bytes))
    }
    return names
  }

  private func required(_ name: String, as kind: Kind) throws(MetadataFlaw) -> JSONValue {
    guard let value = member(name), value.kind == kind else { throw .member(name) }
    return value
  }
}
