import Platform
import TestSupport
import Testing
import TrustTestSupport

@testable import Trust

/// 5.3 of the specification: the chain of roots.
@Suite("Root")
struct RootTests {
  private let repository: SignedRepository
  private let device: TrustingDevice

  init() throws {
    repository = try SignedRepository()
    device = try TrustingDevice(repository)
  }

  @Test("5.2: a device without a root refuses to work")
  func noRoot() throws {
    try device.scratch.write("root.json", "")
    #expect(throws: TrustError.noRoot) { try device.refresh() }
    #expect(repository.requests == [])
  }

  @Test("5.2: an initial root that its own keys did not sign is refused")
  func unsignedInitialRoot() throws {
    let thief = try SigningKey()
    try device.scratch.write("root.json", repository.sign(repository.root, keys: [thief]))
    #expect(throws: TrustError.noRoot) { try device.refresh() }
    device.provisioned = try device.scratch.read("root.json")
    #expect(
      throws: TrustError.unsigned(
        file: "the provisioned root.json", delegator: "root version 1", found: 0, threshold: 1)
    ) { try device.refresh() }
  }

  @Test("5.3: the roots are walked up one by one, and the last one is stored as it was received")
  func walk() throws {
    for _ in 0..<3 { try repository.rotateRoot { try repository.setKeys([SigningKey()], for: "root") } }
    try device.refresh()
    #expect(repository.requests.prefix(4) == ["2.root.json", "3.root.json", "4.root.json", "5.root.json"])
    #expect(try device.stored()["root.json"] == repository.files["4.root.json"])
  }

  @Test("5.3.3: only an absent file ends the walk; a broken server does not say what the newest root is")
  func brokenServer() throws {
    repository.broken = ["2.root.json"]
    #expect(throws: TrustError.notFetched(file: "2.root.json")) { try device.refresh() }
    #expect(repository.requests == ["2.root.json"])
  }

  @Test("5.3.4, P2: arbitrary software: a root that the old root's keys did not sign is refused")
  func notByOldKeys() throws {
    repository.root["version"] = 2
    try repository.setKeys([SigningKey()], for: "root")
    try repository.publishRoot()
    let before = try device.stored()
    #expect(
      throws: TrustError.unsigned(file: "2.root.json", delegator: "root version 1", found: 0, threshold: 1)
    ) { try device.refresh() }
    #expect(try device.stored() == before)
  }

  @Test(
    "5.3.4, P2: a root that its own keys did not sign is refused, and not trusted at the next start either")
  func notByNewKeys() throws {
    let old = repository.signers["root"] ?? []
    try repository.rotateRoot { try repository.setKeys([SigningKey()], for: "root") }
    repository.files["2.root.json"] = try repository.sign(repository.root, keys: old)
    for _ in 0..<2 {
      #expect(
        throws: TrustError.unsigned(file: "2.root.json", delegator: "root version 2", found: 0, threshold: 1)
      ) { try device.refresh() }
      #expect(try device.stored()["root.json"] == repository.files["1.root.json"])
    }
  }

  @Test("5.3.4, P2: the threshold of the new root counts too")
  func newThreshold() throws {
    let keys = [try SigningKey(), try SigningKey()]
    try repository.rotateRoot { try repository.setKeys(keys, for: "root", threshold: 2) }
    let first = repository.signers["root"]?.first
    repository.files["2.root.json"] = try repository.sign(
      repository.root, keys: [first].compactMap { $0 } + (repository.signers["root"] ?? []).prefix(1))
    #expect(throws: TrustError.self) { try device.refresh() }
  }

  @Test("5.3.5, P3: a root that is not exactly the next version is refused", arguments: [1, 3, 1_000_000])
  func wrongVersion(_ version: Int) throws {
    repository.root["version"] = .number(version)
    repository.files["2.root.json"] = try repository.sign(repository.root, by: "root")
    #expect(
      throws: TrustError.wrongVersion(file: "2.root.json", expected: 2, found: UInt64(version))
    ) { try device.refresh() }
  }

  @Test(
    "5.3.9: a run walks up a limited number of roots; nothing is trusted before the last one is reached")
  func boundedWalk() throws {
    for _ in 0..<TrustLimits.rootRotations + 2 { try repository.rotateRoot() }
    let reached = UInt64(TrustLimits.rootRotations + 1)
    #expect(throws: TrustError.moreRoots(version: reached)) { try device.refresh() }
    #expect(!repository.requests.contains("timestamp.json"))
    #expect(try device.stored()["root.json"] == repository.files["\(reached).root.json"])
    try device.refresh()
    #expect(
      try device.stored()["root.json"] == repository.files["\(TrustLimits.rootRotations + 3).root.json"])
  }

  @Test("5.3.9: a run follows as many roots as the limit says")
  func longestWalk() throws {
    for _ in 0..<TrustLimits.rootRotations { try repository.rotateRoot() }
    try device.refresh()
  }

  @Test("5.3.10: a root on the way may be expired, the last one may not, and nothing else is asked for then")
  func expiry() throws {
    try repository.rotateRoot { repository.root["expires"] = .text(SignedRepository.earlier) }
    #expect(throws: TrustError.expired(file: "root.json", at: 1_704_067_200)) { try device.refresh() }
    #expect(repository.requests == ["2.root.json", "3.root.json"])
    // It is trusted all the same: the walk continues from it.
    #expect(try device.stored()["root.json"] == repository.files["2.root.json"])
    try repository.rotateRoot { repository.root["expires"] = .text(SignedRepository.later) }
    try device.refresh()
    #expect(repository.requests.first == "3.root.json")
  }

  @Test("5.3.10: expired means from that second on")
  func expirySecond() throws {
    device.now = try #require(Clock.seconds(ofTimestamp: SignedRepository.later)) - 1
    try device.refresh()
    device.now += 1
    #expect(throws: TrustError.self) { try device.refresh() }
  }

  @Test(
    "5.3.11: fast-forward recovery: with new keys the versions may begin again",
    arguments: ["timestamp", "snapshot"])
  func fastForward(_ role: String) throws {
    repository.timestamp["version"] = 1000
    repository.snapshot["version"] = 1000
    try repository.publish()
    try device.refresh()
    try repository.rotateRoot { try repository.setKeys([SigningKey()], for: role) }
    repository.timestamp["version"] = 1
    repository.snapshot["version"] = 1
    try repository.publish()
    try device.refresh()
    #expect(try device.stored()["timestamp.json"] == repository.files["timestamp.json"])
  }

  @Test("5.3.11: removing one of several keys is a replacement as well")
  func removedKey() throws {
    let keys = [try SigningKey(), try SigningKey()]
    try repository.rotateRoot { try repository.setKeys(keys, for: "timestamp") }
    repository.timestamp["version"] = 1000
    try repository.publish()
    try device.refresh()
    try repository.rotateRoot { try repository.setKeys([keys[0]], for: "timestamp") }
    repository.timestamp["version"] = 2
    try repository.publish()
    try device.refresh()
  }

  @Test("5.3.12: without consistent snapshots, files have no versions in their names")
  func inconsistent() throws {
    try repository.rotateRoot { repository.root["consistent_snapshot"] = nil }
    try repository.publish()
    try device.refresh()
    #expect(
      repository.requests
        == ["2.root.json", "3.root.json", "timestamp.json", "snapshot.json", "targets.json"])
  }

  @Test("P13: a damaged root falls back to the provisioned one and is walked up again")
  func damagedRoot() throws {
    device.provisioned = repository.files["1.root.json"]
    try repository.rotateRoot { try repository.setKeys([SigningKey()], for: "root") }
    try device.refresh()
    let root = try #require(try device.stored()["root.json"])
    for torn in [[], Array(root.prefix(100)), [UInt8](repeating: 0, count: root.count)] {
      try device.scratch.write("root.json", torn)
      try device.refresh()
      #expect(try device.stored()["root.json"] == root)
    }
  }

  @Test("P13: a provisioned root that is damaged does not matter as long as there is a stored one")
  func damagedProvisionedRoot() throws {
    device.provisioned = Array("{}".utf8)
    try device.refresh()
    try device.scratch.write("root.json", "")
    #expect(throws: TrustError.malformed(file: "the provisioned root.json", .member("signed"))) {
      try device.refresh()
    }
  }

  @Test("a provisioned root of another publisher can be corrected, as long as nothing was verified by it")
  func correctedRoot() throws {
    try device.scratch.write("root.json", "")
    let other = try SignedRepository()
    device.provisioned = other.files["1.root.json"]
    for _ in 0..<2 { #expect(throws: TrustError.self) { try device.refresh() } }
    device.provisioned = repository.files["1.root.json"]
    try device.refresh()
    #expect(try device.stored()["root.json"] == repository.files["1.root.json"])
    // What was verified stays, also where a change of keys has forgotten timestamp and snapshot.
    device.provisioned = other.files["1.root.json"]
    try device.refresh()
    let stored = try Directory(opening: device.scratch.path)
    for name in ["timestamp.json", "snapshot.json"] { try stored.remove(name) }
    try device.refresh()
    #expect(try device.stored()["root.json"] == repository.files["1.root.json"])
  }

  @Test("a provisioned root that is newer than the stored one counts, as after an update of the firmware")
  func newerProvisionedRoot() throws {
    try device.refresh()
    try repository.rotateRoot()
    device.provisioned = repository.files["2.root.json"]
    try device.refresh()
    #expect(repository.requests.first == "3.root.json")
    device.provisioned = repository.files["1.root.json"]
    try device.refresh()
    #expect(repository.requests.first == "3.root.json")
  }
}
