package import Crypto
package import Trust

/// Changes of keys, each of which is one new root.
extension MetadataSession {
  /// The origin of a key.
  package enum NewKey: Equatable, Sendable {
    case made(SignatureScheme)
    /// Its private key is on another machine.
    case elsewhere(MetadataKey)
  }

  /// Whether a release or roll-out that waits for signatures is published, if new keys of the targets can sign it.
  package enum WaitingRelease: Equatable, Sendable {
    /// The change is refused: fewer people have agreed to the release than the old keys ask for.
    case refuse
    case publish
  }

  /// Adds a key to a role; `threshold` changes how many of the role's keys must sign.
  package mutating func addKey(
    _ new: NewKey, to role: Root.TopLevel, threshold: Int? = nil, waiting: WaitingRelease = .refuse
  ) throws(PublisherError) -> KeyChange {
    var content = try RootContent(nextRoot())
    let threshold = threshold ?? content[role].threshold
    try MetadataSession.check(role, threshold: threshold, of: content[role].keys.count + 1)
    try check(waiting, changing: role)
    let key: MetadataKey
    switch new {
    case .made(let scheme): key = try store.make(role, scheme: scheme)
    case .elsewhere(let listed): key = listed
    }
    guard !content[role].keys.contains(where: { $0.id == key.id }) else {
      throw .keyChange(.alreadyListed(role: role.name, id: key.id))
    }
    content[role].keys.append(key)
    content[role].threshold = threshold
    return try publish(content, changing: role, added: key)
  }

  /// Removes a key from a role; its private file is kept under another name.
  package mutating func revokeKey(
    _ prefix: String, of role: Root.TopLevel, threshold: Int? = nil, waiting: WaitingRelease = .refuse
  ) throws(PublisherError) -> KeyChange {
    var content = try RootContent(nextRoot())
    let index = try MetadataSession.index(of: prefix, role: role, in: content)
    let threshold = threshold ?? content[role].threshold
    try MetadataSession.check(role, threshold: threshold, of: content[role].keys.count - 1)
    try check(waiting, changing: role)
    let old = content[role].keys.remove(at: index)
    content[role].threshold = threshold
    return try publish(content, changing: role, removed: old.id)
  }

  /// Replaces a key with a new one of the same type; without a prefix, the only key.
  package mutating func rotateKey(
    _ prefix: String?, of role: Root.TopLevel, waiting: WaitingRelease = .refuse
  ) throws(PublisherError) -> KeyChange {
    var content = try RootContent(nextRoot())
    let index = try MetadataSession.index(of: prefix ?? "", role: role, in: content)
    try check(waiting, changing: role)
    let old = content[role].keys[index]
    let new = try store.make(role, scheme: old.scheme)
    content[role].keys[index] = new
    return try publish(content, changing: role, added: new, removed: old.id)
  }

  private mutating func publish(
    _ content: RootContent, changing role: Root.TopLevel, added: MetadataKey? = nil, removed: String? = nil
  ) throws(PublisherError) -> KeyChange {
    let outcome = try publish(content)
    return KeyChange(
      role: role, added: added, removed: removed, keys: content[role].keys.count,
      threshold: content[role].threshold, outcome: outcome)
  }

  /// Refuses a change after which the targets are signed anew, if those that wait list something that devices do not see.
  private func check(_ waiting: WaitingRelease, changing role: Root.TopLevel) throws(PublisherError) {
    guard waiting == .refuse, let releases = try pending.releases() else { return }
    let unseen = releases.filter { !served.releases.contains($0) }
    let (now, next) = (try RootContent(served.root)[.targets], try RootContent(nextRoot())[.targets])
    guard !unseen.isEmpty, role == .targets || now != next else { return }
    throw .keyChange(.publishesPending(unseen))
  }

  private static func check(
    _ role: Root.TopLevel, threshold: Int, of keys: Int
  ) throws(PublisherError) {
    guard threshold >= 1, threshold <= keys else {
      throw .keyChange(.badThreshold(role: role.name, threshold: threshold, keys: keys))
    }
  }

  /// An empty prefix means the only key.
  private static func index(
    of prefix: String, role: Root.TopLevel, in content: RootContent
  ) throws(PublisherError) -> Int {
    let keys = content[role].keys
    let found = keys.indices.filter { keys[$0].id.utf8.starts(with: prefix.utf8) }
    guard prefix.isEmpty || prefix.utf8.count >= 8 else { throw .keyChange(.idTooShort(prefix)) }
    guard let first = found.first else { throw .keyChange(.unknown(role: role.name, prefix)) }
    guard found.count == 1 else { throw .keyChange(.ambiguous(role: role.name, prefix)) }
    return first
  }
}
