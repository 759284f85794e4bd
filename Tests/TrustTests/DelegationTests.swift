import JSONReading
import Testing
import TrustTestSupport

@testable import Trust
@testable import TrustDelegation

/// 5.6.7 of the specification: the search for a target.
@Suite("Delegations")
struct DelegationTests {
  private let repository: SignedRepository
  private let device: TrustingDevice

  init() throws {
    repository = try SignedRepository()
    device = try TrustingDevice(repository)
  }

  /// Searches for a target that is not listed; the roles that were searched, in order.
  private func walk(_ path: String = "f") throws -> [String] {
    try repository.publish()
    #expect(try device.target(path) == nil)
    return repository.requests.map { String($0.dropFirst(2).dropLast(5)) }
  }

  @Test("a target of the top-level role is found without asking another role")
  func topLevel() throws {
    try repository.delegate("a")
    try repository.add("f", "text")
    try repository.publish()
    let target = try #require(try device.target("f"))
    #expect(target.length == 4)
    #expect(target.location(hasConsistentSnapshots: true).hasSuffix(".f"))
    #expect(repository.requests == [])
  }

  @Test("P6: roles are searched depth first, in the order of the delegations")
  func preOrder() throws {
    try repository.delegate("a")
    try repository.delegate("b")
    try repository.delegate("a1", from: "a")
    try repository.delegate("a2", from: "a")
    try repository.delegate("b1", from: "b")
    #expect(try walk() == ["a", "a1", "a2", "b", "b1"])
  }

  @Test("P6: only roles whose pattern matches are asked")
  func patterns() throws {
    try repository.delegate("a", paths: ["maps/*"])
    try repository.delegate("b", paths: ["?"])
    #expect(try walk() == ["b"])
  }

  @Test("P6: a terminating delegation that matches ends the search after its own subtree")
  func terminating() throws {
    try repository.delegate("a", paths: ["other"], terminating: true)
    try repository.delegate("b", terminating: true)
    try repository.delegate("b1", from: "b")
    try repository.delegate("c")
    #expect(try walk() == ["b", "b1"])
  }

  @Test("P6: a terminating delegation below ends the search on the levels above, too")
  func terminatingBelow() throws {
    try repository.delegate("a")
    try repository.delegate("a1", from: "a", terminating: true)
    try repository.delegate("a2", from: "a")
    try repository.delegate("b")
    #expect(try walk() == ["a", "a1"])
  }

  @Test("a circle of delegations ends")
  func circle() throws {
    let key = try SigningKey()
    try repository.delegate("a", keys: [key])
    try repository.delegate("b", from: "a")
    try repository.delegate("a", from: "b", keys: [key])
    #expect(try walk() == ["a", "b"])
  }

  @Test("a circle does not use up the search: a target after it is found")
  func afterCircle() throws {
    let key = try SigningKey()
    try repository.delegate("a", keys: [key])
    try repository.delegate("b", from: "a")
    try repository.delegate("a", from: "b", keys: [key])
    try repository.delegate("c")
    try repository.add("f", to: "c")
    try repository.publish()
    #expect(try device.target("f") != nil)
    #expect(repository.requests == ["1.a.json", "1.b.json", "1.c.json"])
  }

  @Test("the number of roles in one search is bounded")
  func bounded() throws {
    let key = try SigningKey()
    for index in 0..<DelegationLimits.roles + 5 { try repository.delegate("role\(index)", keys: [key]) }
    #expect(try walk().count == DelegationLimits.roles)
  }

  @Test("P6: a role that one delegator vouches for is not trusted on the way through another")
  func diamond() throws {
    let (good, thief) = (try SigningKey(), try SigningKey())
    try repository.delegate("a", paths: ["x"])
    try repository.delegate("b", paths: ["y"])
    try repository.delegate("shared", from: "a", keys: [good])
    try repository.delegate("shared", from: "b", keys: [thief])
    repository.signers["shared"] = [good]
    try repository.add("x", to: "shared")
    try repository.add("y", to: "shared")
    try repository.publish()
    #expect(try device.target("x") != nil)
    #expect(
      throws: TrustError.unsigned(file: "1.shared.json", delegator: "b", found: 0, threshold: 1)
    ) { _ = try device.target("y") }
  }

  @Test("P6: a failure in a delegated role ends the search; nothing after it is trusted instead")
  func failure() throws {
    try repository.delegate("a")
    try repository.delegate("b")
    try repository.add("f", to: "b")
    try repository.publish()
    repository.files["1.a.json"] = nil
    #expect(throws: TrustError.missing(file: "1.a.json")) { _ = try device.target("f") }
  }

  @Test("P6: expiry, length, digest and version of a delegated role are enforced")
  func delegatedChecks() throws {
    try repository.delegate("a")
    try repository.add("f", to: "a")
    repository.delegated["a"]?["expires"] = .text(SignedRepository.earlier)
    try repository.publish()
    #expect(throws: TrustError.expired(file: "1.a.json", at: 1_704_067_200)) { _ = try device.target("f") }
    repository.delegated["a"]?["expires"] = .text(SignedRepository.later)
    repository.bump("snapshot", "timestamp")
    try repository.publish()
    let good = try #require(repository.files["1.a.json"])
    repository.files["1.a.json"] = good.map { $0 == UInt8(ascii: "f") ? UInt8(ascii: "g") : $0 }
    #expect(throws: TrustError.mismatched(file: "1.a.json")) { _ = try device.target("f") }
    repository.files["1.a.json"] = good
    #expect(try device.target("f") != nil)
    repository.snapshot[["meta", "a.json"]] = ["version": 2]
    repository.files["2.a.json"] = good
    repository.bump("snapshot", "timestamp")
    try repository.publishSnapshot()
    #expect(throws: TrustError.wrongVersion(file: "2.a.json", expected: 2, found: 1)) {
      _ = try device.target("f")
    }
  }

  @Test("P6: rollback of a delegated role is refused")
  func delegatedRollback() throws {
    try repository.delegate("a")
    repository.bump("a")
    try repository.publish()
    try device.refresh()
    repository.delegated["a"]?["version"] = 1
    repository.bump("snapshot", "timestamp")
    try repository.publish()
    #expect(throws: TrustError.rolledBack(file: "a.json", trusted: 2, found: 1)) { try device.refresh() }
  }

  @Test("a delegated role that the snapshot does not list is refused without a request")
  func unlisted() throws {
    try repository.delegate("a")
    try repository.publish()
    repository.snapshot[["meta", "a.json"]] = nil
    try repository.publishSnapshot()
    #expect(throws: TrustError.unlisted(file: "a.json")) { _ = try device.target("f") }
    #expect(repository.requests == [])
  }

  @Test("a delegated role is fetched once, and read from the store after that")
  func stored() throws {
    try repository.delegate("a")
    try repository.add("f", to: "a")
    try repository.publish()
    #expect(try device.target("f") != nil)
    #expect(repository.requests == ["1.a.json"])
    #expect(try device.target("f") != nil)
    #expect(repository.requests == [])
  }

  @Test(
    "P8: a role's name cannot leave the directory or the URL",
    arguments: ["../../etc/passwd", "/root", "..", "a?b#c%2F", "näme", "a\\b", "a b"])
  func names(_ name: String) throws {
    try repository.delegate(name)
    try repository.add("f", to: name)
    try repository.publish()
    #expect(try device.target("f") != nil)
    let encoded = Name(name).percentEncoded
    #expect(repository.requests == ["1.\(encoded).json"])
    #expect(encoded.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 < 0x7f && $0 > 0x20 })
    #expect(try device.stored()["\(encoded).json"] != nil)
  }

  @Test("hash prefixes match by the digest of the path")
  func hashPrefixes() throws {
    // The SHA-256 of "f" begins with 252f10c8.
    for (prefix, expected) in [("25", ["a"]), ("252f10c8", ["a"]), ("26", []), ("2", ["a"])] {
      let repository = try SignedRepository()
      try repository.delegate("a")
      repository.targets[["delegations", "roles"]] = .array(
        (repository.targets[["delegations", "roles"]]?.elements ?? []).map { role in
          var role = role
          role["paths"] = nil
          role["path_hash_prefixes"] = [.text(prefix)]
          return role
        })
      try repository.publish()
      let device = try TrustingDevice(repository)
      #expect(try device.target("f") == nil)
      #expect(repository.requests.map { String($0.dropFirst(2).dropLast(5)) } == expected, "\(prefix)")
    }
  }

  @Test(
    "delegations with a member missing or of the wrong kind make the file malformed",
    arguments: [1, [:], ["keys": [:], "roles": [:]], ["keys": [:], "roles": [1]]] as [JSONTree])
  func malformed(delegations: JSONTree) throws {
    repository.targets["delegations"] = delegations
    try repository.publish()
    #expect {
      try device.target("f")
    } throws: { error in
      guard case .malformed("1.targets.json", _) = error as? TrustError else { return false }
      return true
    }
  }

  @Test(
    "a delegation that contradicts itself makes the file malformed",
    arguments: [
      ("paths and prefixes", MetadataFlaw.value("paths")), ("top-level name", .value("name")),
      ("twice", .repeated("roles")), ("threshold", .value("threshold")),
      ("terminating", .member("terminating")),
      ("empty", .value("name")),
    ])
  func contradictions(_ what: String, _ flaw: MetadataFlaw) throws {
    try repository.delegate("a")
    var role = try #require(repository.targets[["delegations", "roles"]]?.elements.first)
    var roles = [role]
    switch what {
    case "paths and prefixes": role["path_hash_prefixes"] = ["00"]
    case "top-level name": role["name"] = "snapshot"
    case "threshold": role["threshold"] = 0
    case "terminating": role["terminating"] = nil
    case "empty": role["name"] = ""
    default: roles.append(role)
    }
    roles[0] = role
    repository.targets[["delegations", "roles"]] = .array(roles)
    try repository.publish()
    #expect(throws: TrustError.malformed(file: "1.targets.json", flaw)) { try device.refresh() }
  }

  @Test("bins by digest, which the specification does not have, are passed over")
  func succinctRoles() throws {
    repository.targets["delegations"] = [
      "keys": [:],
      "succinct_roles": ["keyids": [], "threshold": 1, "bit_length": 4, "name_prefix": "bin"],
    ]
    #expect(try walk() == [])
  }

  @Test("a delegation with neither patterns nor prefixes matches nothing")
  func neither() throws {
    try repository.delegate("a")
    var role = try #require(repository.targets[["delegations", "roles"]]?.elements.first)
    role["paths"] = nil
    repository.targets[["delegations", "roles"]] = [role]
    #expect(try walk() == [])
  }
}
