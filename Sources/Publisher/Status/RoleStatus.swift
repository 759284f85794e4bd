package import Trust

/// The metadata and the keys of one role.
package struct RoleStatus: Equatable, Sendable {
  package let role: Root.TopLevel
  package let version: UInt64
  /// Seconds since 1970.
  package let expires: Int64
  /// Until then, rounded down; 0 once it has expired.
  package let days: Int64
  package let state: State
  package let keys: Int
  /// How many of the keys must sign.
  package let threshold: Int
  /// The newest root does not verify it: a change of keys was interrupted.
  package let isUnfinished: Bool

  /// What the time has made of the metadata.
  package enum State: String, Sendable {
    case valid
    /// It expires soon.
    case due
    case expired
  }

  init(_ role: Root.TopLevel, of served: ServedMetadata, now: Int64) throws(PublisherError) {
    let (file, keys) = (served[role], served.root.role(role))
    self.role = role
    (version, expires) = (file.version, file.expires)
    days = max(0, (file.expires - now) / 86_400)
    state = file.expires <= now ? .expired : file.isDue(at: now) ? .due : .valid
    (self.keys, threshold) = (keys.keyIDs.count, Int(clamping: keys.threshold))
    isUnfinished = try !file.isValid(under: served.root)
  }

  /// How many keys may be lost without harm.
  package var spareKeys: Int { max(0, keys - threshold) }
}
