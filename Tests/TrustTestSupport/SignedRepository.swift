package import Crypto
import JSONReading
internal import Platform
package import Trust

/// A repository of signed metadata in memory, in which a test may change everything.
///
/// `root`, `timestamp`, `snapshot`, `targets` and `delegated` are what will be signed next; `files` is what is served.
package final class SignedRepository {
  /// 2024-06-30T12:00:00Z.
  package static let now: Int64 = 1_719_748_800
  package static let later = "2024-12-31T00:00:00Z"
  package static let earlier = "2024-01-01T00:00:00Z"

  package var root: JSONTree
  package var timestamp: JSONTree = SignedRepository.head("timestamp")
  package var snapshot: JSONTree = SignedRepository.head("snapshot")
  package var targets: JSONTree = SignedRepository.head("targets")
  /// Delegated roles by their names.
  package var delegated: [String: JSONTree] = [:]
  /// Who signs for a role.
  package var signers: [String: [SigningKey]] = [:]
  /// What is served, by the names below the metadata's URL.
  package var files: [String: [UInt8]] = [:]
  /// What was asked for, in order.
  package var requests: [String] = []
  /// Names that cannot be fetched, although they may be there.
  package var broken: Set<String> = []

  package static let topLevel = ["root", "timestamp", "snapshot", "targets"]

  /// With one key for each role, all published at version 1.
  package init(_ scheme: SignatureScheme = .ed25519) throws {
    root = SignedRepository.head("root")
    root["consistent_snapshot"] = true
    root["keys"] = [:]
    root["roles"] = [:]
    targets["targets"] = [:]
    for role in SignedRepository.topLevel { try setKeys([SigningKey(scheme)], for: role) }
    try publishRoot()
    try publish()
  }

  package static func head(_ type: String) -> JSONTree {
    ["_type": .text(type), "spec_version": "1.0.31", "version": 1, "expires": .text(later)]
  }

  // MARK: - Keys

  /// Makes the root name these keys for a role, and lets them sign for it.
  package func setKeys(_ keys: [SigningKey], for role: String, threshold: Int = 1) throws {
    for key in keys { root[["keys", key.id]] = key.tree }
    root[["roles", role]] = SignedRepository.role(keys, threshold)
    signers[role] = keys
  }

  package static func role(_ keys: [SigningKey], _ threshold: Int = 1) -> JSONTree {
    ["keyids": .array(keys.map { .text($0.id) }), "threshold": .number(threshold)]
  }

  /// A delegation of `targets`, or of another role, with a key of its own.
  package func delegate(
    _ name: String, from parent: String = "targets", paths: [String] = ["*"], terminating: Bool = false,
    keys: [SigningKey]? = nil
  ) throws {
    let keys = try keys ?? [SigningKey()]
    var tree = parent == "targets" ? targets : delegated[parent] ?? [:]
    if tree["delegations"] == nil { tree["delegations"] = ["keys": [:], "roles": []] }
    for key in keys { tree[["delegations", "keys", key.id]] = key.tree }
    var role = SignedRepository.role(keys)
    role["name"] = .text(name)
    role["paths"] = .array(paths.map { .text($0) })
    role["terminating"] = .flag(terminating)
    tree[["delegations", "roles"]] = .array((tree[["delegations", "roles"]]?.elements ?? []) + [role])
    if parent == "targets" { targets = tree } else { delegated[parent] = tree }
    signers[name] = keys
    if delegated[name] == nil {
      delegated[name] = SignedRepository.head("targets")
      delegated[name]?["targets"] = [:]
    }
  }

  /// Adds a target to a role.
  package func add(_ path: String, _ text: String = "content", to role: String = "targets") throws {
    let digest = try Hasher.digest(of: Array(text.utf8).span.bytes)
    let target: JSONTree = ["length": .number(text.utf8.count), "hashes": ["sha256": .text(digest.hex)]]
    if role == "targets" {
      targets[["targets", path]] = target
    } else {
      delegated[role]?[["targets", path]] = target
    }
  }

  // MARK: - Publishing

  /// The file of a signed part, by the keys of a role.
  package func sign(_ signed: JSONTree, by role: String) throws -> [UInt8] {
    try sign(signed, keys: signers[role] ?? [])
  }

  package func sign(_ signed: JSONTree, keys: [SigningKey]) throws -> [UInt8] {
    let signatures = try keys.map { try $0.signature(of: signed) }
    return Array(JSONTree.object(["signed": signed, "signatures": .array(signatures)]).json.utf8)
  }

  /// Serves `root` at the version that it has; `keys` if others than its own sign, too.
  package func publishRoot(alsoBy keys: [SigningKey] = []) throws {
    let own = signers["root"] ?? []
    let others = keys.filter { key in !own.contains { $0 === key } }
    files["\(root["version"]?.number ?? 0).root.json"] = try sign(root, keys: own + others)
  }

  /// The next root, signed by the keys before `change`, too.
  package func rotateRoot(_ change: () throws -> Void = {}) throws {
    let old = signers["root"] ?? []
    root["version"] = .number((root["version"]?.number ?? 0) + 1)
    try change()
    try publishRoot(alsoBy: old)
  }

  /// Adds one to the version of each of these roles.
  package func bump(_ roles: String...) {
    for role in roles {
      switch role {
      case "timestamp": SignedRepository.bump(&timestamp)
      case "snapshot": SignedRepository.bump(&snapshot)
      case "targets": SignedRepository.bump(&targets)
      default:
        if var tree = delegated[role] {
          SignedRepository.bump(&tree)
          delegated[role] = tree
        }
      }
    }
  }

  private static func bump(_ tree: inout JSONTree) {
    let version = tree["version"]?.number ?? 0
    tree["version"] = .number(version + 1)
  }

  /// Serves all roles below the root, each naming what it is to name.
  package func publish() throws {
    var meta: JSONTree = [:]
    meta["targets.json"] = try serve(targets, as: "targets")
    for (name, role) in delegated.sorted(by: { $0.key < $1.key }) {
      meta["\(name).json"] = try serve(role, as: name)
    }
    snapshot["meta"] = meta
    try publishSnapshot()
  }

  /// Serves snapshot and timestamp alone.
  package func publishSnapshot() throws {
    timestamp["meta"] = ["snapshot.json": try serve(snapshot, as: "snapshot")]
    try publishTimestamp()
  }

  package func publishTimestamp() throws { files["timestamp.json"] = try sign(timestamp, by: "timestamp") }

  private func serve(_ signed: JSONTree, as role: String) throws -> JSONTree {
    let bytes = try sign(signed, by: role)
    let version = signed["version"] ?? 0
    let prefix = root["consistent_snapshot"] == true ? "\(version.number)." : ""
    files["\(prefix)\(Name(role).percentEncoded).json"] = bytes
    return [
      "version": version, "length": .number(bytes.count),
      "hashes": ["sha256": .text(try Hasher.digest(of: bytes.span.bytes).hex)],
    ]
  }

  // MARK: - Serving

  package func fetch(_ file: String, _ limit: UInt64) -> Fetched {
    requests.append(file)
    if broken.contains(file) { return .failed }
    guard let bytes = files[file] else { return .absent }
    return UInt64(bytes.count) <= limit ? .file(bytes) : .failed
  }
}
