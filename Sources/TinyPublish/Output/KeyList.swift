internal import Crypto
internal import Platform
internal import Publisher
internal import Trust

/// The keys of a repository, and which of their private keys are here.
struct KeyList {
  let served: ServedMetadata
  private var rows: [Row] = []
  /// A new root waits for signatures; its keys are not listed here.
  private let isPending: Bool

  private struct Row {
    let role: Root.TopLevel
    let threshold: Int
    let count: Int
    let key: MetadataKey
    /// Nil if the private key is elsewhere.
    let path: String?
  }

  init(of repository: Repository, in store: KeyStore) throws(PublisherError) {
    served = try ServedMetadata(of: repository)
    isPending = try PendingFiles(of: repository).root != nil
    let content = try RootContent(served.root)
    for role in Root.TopLevel.allCases {
      for key in content[role].keys {
        let isHere = try store.has(role, id: key.id)
        rows.append(
          Row(
            role: role, threshold: content[role].threshold, count: content[role].keys.count, key: key,
            path: isHere ? store.path(role, id: key.id) : nil))
      }
    }
  }

  var table: String {
    var table = Table([("role", .left), ("keys", .left), ("key id", .left), ("type", .left), ("file", .left)])
    for row in rows {
      table.add([
        row.role.name, "\(row.threshold) of \(row.count)", row.key.shortID,
        row.key.scheme.keytype,
        row.path ?? "elsewhere",
      ])
    }
    return table.text
  }

  var text: String {
    table + (isPending ? "\nA new root waits for signatures: \"tinypublish sign export\".\n" : "")
  }

  var answer: Answer.Keys {
    Answer.Keys(
      root: served.root.head.version, isPending: isPending,
      keys: rows.map { row in
        Answer.Keys.Key(
          role: row.role.name, threshold: row.threshold, keyid: row.key.id, scheme: row.key.scheme.name,
          public: row.key.text, file: row.path)
      })
  }
}
