internal import Publisher
internal import Trust

/// How a change of keys is reported.
enum KeyChangeView {
  /// Where a new key is; nil without one.
  static func note(_ change: KeyChange, in store: KeyStore) throws(PublisherError) -> String? {
    guard let key = change.added else { return nil }
    let isHere = try store.has(change.role, id: key.id)
    let place = isHere ? "in \(store.path(change.role, id: key.id))" : "elsewhere"
    return "The new \(change.role.name) key \(key.shortID) is \(place)."
  }

  static func done(_ change: KeyChange) -> String {
    let removed = change.removed.map { "The key \(MetadataKey.short($0)) no longer counts. " } ?? ""
    return "\(removed)\(change.threshold) of \(change.keys) keys now sign for \(change.role.name)."
  }
}
