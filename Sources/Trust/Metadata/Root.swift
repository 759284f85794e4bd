package import JSONReading

/// The keys of all top-level roles (TUF 1.0, section 4.3).
package struct Root: Equatable {
  package let head: MetadataHead
  /// The files of this repository but the timestamp carry their version or digest in their names.
  package let hasConsistentSnapshots: Bool
  package let keys: [Key]
  private let roles: [Role]

  /// The roles that every root names.
  package enum TopLevel: Int, CaseIterable {
    case root, timestamp, snapshot, targets

    package var name: String {
      switch self {
      case .root: "root"
      case .timestamp: "timestamp"
      case .snapshot: "snapshot"
      case .targets: "targets"
      }
    }

    package static func isName(_ name: Name) -> Bool { allCases.contains { Name($0.name) == name } }
  }

  package init(_ envelope: Envelope) throws(TrustError) {
    self = try envelope.reading { (signed) throws(MetadataFlaw) in try Root(signed: signed) }
  }

  private init(signed: JSONValue) throws(MetadataFlaw) {
    head = try MetadataHead(signed, type: "root")
    hasConsistentSnapshots =
      signed.member("consistent_snapshot") == nil ? false : try signed.flag("consistent_snapshot")
    keys = try Key.read(signed.object("keys"))
    let listed = try signed.object("roles")
    var roles: [Role] = []
    for role in TopLevel.allCases { roles.append(try Role(listed.object(role.name))) }
    guard listed.count == roles.count else { throw .value("roles") }
    self.roles = roles
  }

  package func role(_ role: TopLevel) -> Role { roles[role.rawValue] }

  package func authority(_ role: TopLevel) -> Authority {
    Authority(delegator: "root version \(head.version)", role: self.role(role), keys: keys)
  }
}
