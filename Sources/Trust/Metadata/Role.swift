package import Crypto

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
  static func read(_ keys: JSONValue) throws(MetadataFlaw) -> [Key] {
    guard keys.count <= Limits.keys else { throw .tooMany("keys") }
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

/// Who may sign, and how many of them must.
package struct Role: Equatable {
  package let keyIDs: [Name]
  package let threshold: UInt64

  package init(keyIDs: [Name], threshold: UInt64) {
    self.keyIDs = keyIDs
    self.threshold = threshold
  }

  init(_ role: JSONValue) throws(MetadataFlaw) {
    keyIDs = try role.distinctNames("keyids", upTo: Limits.keys)
    threshold = try role.number("threshold", from: 1)
  }

  /// The same keys, in whatever order.
  func hasSameKeys(as other: Role) -> Bool { keyIDs.sorted() == other.keyIDs.sorted() }
}

/// A role with the keys that its delegator lists, as it is needed to verify a file.
package struct Authority: Equatable {
  /// Whose word it is, for a message: "root", or the name of a targets role.
  package let delegator: String
  package let role: Role
  package let keys: [Key]

  /// Keys and their ids.
  var size: Int { role.keyIDs.count + keys.count }
}
