internal import Publisher
internal import Trust

/// How a change of keys is reported.
enum KeyChangeView {
  static func change(
    _ change: KeyChange, in store: KeyStore
  ) throws(PublisherError) -> RepositoryOptions.Change<Answer.KeyChange> {
    let removed = change.removed.map { "The key \(MetadataKey.short($0)) no longer counts. " } ?? ""
    return RepositoryOptions.Change(
      outcome: change.outcome, note: try note(change, in: store),
      done: "\(removed)\(change.threshold) of \(change.keys) keys now sign for \(change.role.name).",
      answer: try Answer.KeyChange(change, in: store))
  }

  /// Where a new key is; nil without one.
  private static func note(_ change: KeyChange, in store: KeyStore) throws(PublisherError) -> String? {
    guard let key = change.added else { return nil }
    let isHere = try store.has(change.role, id: key.id)
    let place = isHere ? "in \(store.path(change.role, id: key.id))" : "elsewhere"
    return "The new \(change.role.name) key \(key.shortID) is \(place)."
  }
}
