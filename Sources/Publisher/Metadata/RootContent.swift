internal import Platform
package import Trust

/// The keys and thresholds of all roles: the part of a root that the publisher decides.
package struct RootContent: Equatable, Sendable {
  /// In the order of `Root.TopLevel`.
  private var roles: [RoleContent]

  package struct RoleContent: Equatable, Sendable {
    package var keys: [MetadataKey]
    package var threshold: Int
  }

  /// Roles without any keys.
  init() { roles = Root.TopLevel.allCases.map { _ in RoleContent(keys: [], threshold: 1) } }

  /// Reads a root; throws if it lists a key of a type that this program does not support.
  package init(_ root: Root) throws(PublisherError) {
    self.init()
    for role in Root.TopLevel.allCases {
      let listed = root.role(role)
      self[role].threshold = Int(clamping: listed.threshold)
      self[role].keys = try listed.keyIDs.map { (id) throws(PublisherError) in
        guard let key = root.keys.first(where: { $0.id == id }).flatMap({ MetadataKey($0) }) else {
          throw .repository(
            .metadata(.malformed(file: SignedFile.name(.root, version: root.head.version), .value("keyids"))))
        }
        return key
      }
    }
  }

  package subscript(role: Root.TopLevel) -> RoleContent {
    get { roles[role.rawValue] }
    set { roles[role.rawValue] = newValue }
  }

  /// The signed part of a root.
  func signed(_ head: MetadataText.Head) -> JSON {
    var keys: [String: MetadataKey] = [:]
    for role in roles { for key in role.keys { keys[key.id] = key } }
    var listed = JSON()
    for key in keys.values { listed.add(key.id, key.json) }
    var json = MetadataText.begin(.root, head: head)
    json.add("consistent_snapshot", true)
    json.add("keys", listed)
    var table = JSON()
    for role in Root.TopLevel.allCases {
      var entry = JSON()
      entry.add("keyids", self[role].keys.map(\.id))
      entry.add("threshold", self[role].threshold)
      table.add(role.name, entry)
    }
    json.add("roles", table)
    return json
  }
}
