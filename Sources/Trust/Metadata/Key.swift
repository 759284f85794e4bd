package import Crypto
package import JSONReading

/// A public key as metadata lists it.
package struct Key: Equatable {
  package let id: Name
  /// Nil if it is of a kind that this program does not know: such a key never verifies anything.
  package let scheme: SignatureScheme?
  /// `keyval.public`: hexadecimal digits or PEM.
  package let text: String

  /// Reads a `keys` object.
  ///
  /// An id is not compared with the digest of its key: repositories in the field have others
  /// (`docs/decisions/0008`). What counts as one key is decided by its bytes.
  package static func read(_ keys: JSONValue) throws(MetadataFlaw) -> [Key] {
    guard keys.count <= TrustLimits.keys else { throw .tooMany("keys") }
    var list: [Key] = []
    try keys.forEachMember { (id, value) throws(MetadataFlaw) in
      let keytype = try value.text("keytype")
      let scheme = try value.text("scheme")
      // A kind that we do not know may keep its value in another form.
      let text = try value.object("keyval").member("public")?.text ?? ""
      list.append(Key(id: id, scheme: SignatureScheme(keytype: keytype, scheme: scheme), text: text))
    }
    return list
  }
}
