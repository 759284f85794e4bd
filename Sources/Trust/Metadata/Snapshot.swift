package import JSONReading

/// The versions of all targets roles (TUF 1.0, section 4.5).
package struct Snapshot {
  package let head: MetadataHead
  private let envelope: Envelope

  package init(_ envelope: Envelope) throws(TrustError) {
    head = try envelope.reading { (signed) throws(MetadataFlaw) in
      let head = try MetadataHead(signed, type: "snapshot")
      try signed.object("meta").forEachMember { (_, value) throws(MetadataFlaw) in _ = try MetaFile(value) }
      return head
    }
    self.envelope = envelope
  }

  private var meta: JSONValue? { envelope.signed.member("meta") }

  /// What is said of `ROLE.json`; nil if it is not listed.
  package func file(_ role: Name) throws(TrustError) -> MetaFile? {
    guard let value = meta?.member(Name(role.text + ".json")) else { return nil }
    return try envelope.reading { (_) throws(MetadataFlaw) in try MetaFile(value) }
  }

  /// Throws if this is older than `trusted` in any part: every file of that must be here, at the same
  /// version or a later one.
  func checkFollows(_ trusted: Snapshot) throws(TrustError) {
    let file = envelope.file
    let meta = meta
    try trusted.meta?.forEachMember { (name, value) throws(TrustError) in
      guard let old = value.member("version")?.whole else { return }
      guard let new = meta?.member(name)?.member("version")?.whole else {
        throw .dropped(file: name.text, from: file)
      }
      guard new >= old else {
        throw .rolledBack(file: name.text, trusted: UInt64(clamping: old), found: UInt64(clamping: new))
      }
    }
  }
}
