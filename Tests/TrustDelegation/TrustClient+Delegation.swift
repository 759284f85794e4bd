internal import Crypto
package import JSONReading
package import Trust

/// The search for a target in the roles that targets roles delegate to (TUF 1.0, section 5.6.7).
///
/// Devices do without: the catalogs of their publisher are targets of the top-level role.
extension TrustClient {
  /// What the roles that are trusted with `path` say of it; nil if none lists it.
  ///
  /// Depth first, in the order of the delegations. A role that was looked into is not looked into again, so
  /// that circles end; a terminating delegation that matches ends the search after its own subtree.
  package func target(
    _ path: Name, in snapshot: Snapshot, fetch: (_ file: String, _ limit: UInt64) -> Fetched
  ) throws(TrustError) -> TargetFile? {
    var waiting = [(name: Name("targets"), authority: root.authority(.targets))]
    var visited: [Name] = []
    while let next = waiting.popLast() {
      if visited.contains(next.name) { continue }
      // 5.6.7.1: the top-level role and that many delegated ones.
      guard visited.count <= DelegationLimits.roles else { break }
      visited.append(next.name)
      let targets = try targets(next.name, authority: next.authority, in: snapshot, fetch: fetch)
      try targets.checkDelegations()
      if let target = try targets.target(path) { return target }
      // 5.6.7.2
      var children: [(name: Name, authority: Authority)] = []
      var isTerminated = false
      var size = waiting.reduce(0) { $0 + $1.authority.size }
      try targets.forEachDelegation(of: next.name, for: path) { delegation throws(MetadataFlaw) in
        guard !isTerminated else { return }
        isTerminated = delegation.isTerminating
        // No more can be looked into, even if as many of them as possible are reached on another way first.
        guard children.count < 2 * DelegationLimits.roles, !visited.contains(delegation.name) else { return }
        size += delegation.authority.size
        if size <= DelegationLimits.authorities { children.append((delegation.name, delegation.authority)) }
      }
      guard size <= DelegationLimits.authorities else {
        throw .overMemory(file: next.name.percentEncoded + ".json")
      }
      if isTerminated { waiting.removeAll() }
      waiting += children.reversed()
    }
    return nil
  }
}

extension Targets {
  /// The target of that path; nil if this role does not list it.
  fileprivate func target(_ path: Name) throws(TrustError) -> TargetFile? {
    guard let value = envelope.signed.member("targets")?.member(path) else { return nil }
    return try envelope.reading { (_) throws(MetadataFlaw) in try TargetFile(path: path, value: value) }
  }

  /// Throws unless all of its delegations are what they must be.
  package func checkDelegations() throws(TrustError) {
    try envelope.reading { (signed) throws(MetadataFlaw) in
      try Delegation.forEach(matching: nil, in: signed, by: Name("")) { _ in }
    }
  }

  /// Calls `body` with the roles that are trusted with `path`, in the order in which they are asked.
  fileprivate func forEachDelegation(
    of role: Name, for path: Name, _ body: (Delegation) throws(MetadataFlaw) -> Void
  ) throws(TrustError) {
    try envelope.reading { (signed) throws(MetadataFlaw) in
      try Delegation.forEach(matching: path, in: signed, by: role, body: body)
    }
  }
}

extension TargetFile {
  /// Where the target lies below the targets' base URL: with consistent snapshots, a digest precedes
  /// the last part of the path (TUF 1.0, section 5.7).
  package func location(hasConsistentSnapshots: Bool) -> String {
    guard hasConsistentSnapshots, let hash = hashes.first(where: { $0.algorithm == .sha256 }) ?? hashes.first
    else { return path.text }
    let last = path.bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return String(decoding: path.bytes[..<last], as: UTF8.self) + hash.hex + "."
      + String(decoding: path.bytes[last...], as: UTF8.self)
  }
}

extension Authority {
  /// Keys and their ids.
  fileprivate var size: Int { role.keyIDs.count + keys.count }
}

/// How much is searched: one place, each figure with its reason.
package enum DelegationLimits {
  /// Targets roles that one search looks into.
  package static var roles: Int { 32 }
  /// Delegations of one targets role; each is looked at once in a search.
  static var ofOneRole: Int { 4096 }
  /// Keys, and ids of keys, of the roles that wait in a search: of some tens of roles a few each.
  static var authorities: Int { 4096 }
}
