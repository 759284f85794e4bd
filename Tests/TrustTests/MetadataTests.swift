import Testing
import TrustTestSupport

@testable import Trust

/// Section 4 of the specification: what each file consists of.
///
/// Everything here is signed by the right keys.
@Suite("Metadata")
struct MetadataTests {
  private let repository: SignedRepository
  private let device: TrustingDevice

  init() throws {
    repository = try SignedRepository()
    device = try TrustingDevice(repository)
  }

  @Test(
    "P9: a root with a member missing, of the wrong kind or out of bounds is malformed",
    arguments: [
      (["_type"], nil), (["_type"], "timestamp"), (["_type"], 3), (["spec_version"], nil),
      (["spec_version"], "2.0.0"),
      (["spec_version"], "1"), (["spec_version"], "1.x"), (["spec_version"], 1), (["version"], nil),
      (["version"], "2"), (["version"], 0), (["version"], -2), (["version"], true), (["expires"], nil),
      (["expires"], "tomorrow"), (["expires"], "2024-12-31T00:00:00+00:00"),
      (["expires"], "2024-12-31T00:00:00.5Z"),
      (["expires"], "2024-02-30T00:00:00Z"), (["expires"], "2024-12-31 00:00:00Z"),
      (["expires"], "2024-12-31T24:00:00Z"),
      (["consistent_snapshot"], "yes"), (["keys"], nil), (["keys"], []), (["roles"], nil), (["roles"], []),
      (["roles", "root"], nil), (["roles", "timestamp"], nil), (["roles", "snapshot"], []),
      (["roles", "targets"], 1),
      (["roles", "mirrors"], ["keyids": [], "threshold": 1]), (["roles", "targets", "keyids"], nil),
      (["roles", "targets", "keyids"], [1]), (["roles", "targets", "keyids"], [:]),
      (["roles", "targets", "threshold"], "1"), (["roles", "targets", "threshold"], nil),
      (["keys", "k"], 1), (["keys", "k"], [:]),
      (["keys", "k"], ["keytype": "ed25519", "scheme": "ed25519"]),
      (["keys", "k"], ["keytype": 1, "scheme": "ed25519", "keyval": ["public": "00"]]),
    ] as [([String], JSONTree?)])
  func root(_ path: [String], _ value: JSONTree?) throws {
    try repository.rotateRoot { repository.root[path] = value }
    repository.files["2.root.json"] = try repository.sign(repository.root, by: "root")
    let before = try device.stored()
    #expect(throws: TrustError.self) { try device.refresh() }
    #expect(repository.requests == ["2.root.json"])
    #expect(try device.stored() == before)
  }

  @Test(
    "P9: a timestamp with a member missing, of the wrong kind or out of bounds is malformed",
    arguments: [
      (["meta"], nil), (["meta"], []), (["meta"], [:]), (["meta", "snapshot.json"], nil),
      (["meta", "snapshot.json"], 1),
      (["meta", "other.json"], ["version": 1]), (["meta", "snapshot.json", "version"], nil),
      (["meta", "snapshot.json", "version"], 0), (["meta", "snapshot.json", "version"], "1"),
      (["meta", "snapshot.json", "length"], -1), (["meta", "snapshot.json", "length"], "10"),
      (["meta", "snapshot.json", "hashes"], [:]), (["meta", "snapshot.json", "hashes"], "x"),
      (["meta", "snapshot.json", "hashes", "sha256"], 5), (["version"], nil), (["expires"], 0),
      (["_type"], "snapshot"),
    ] as [([String], JSONTree?)])
  func timestamp(_ path: [String], _ value: JSONTree?) throws {
    repository.timestamp[path] = value
    try repository.publishTimestamp()
    try expectMalformed("timestamp.json")
  }

  @Test(
    "P9: a snapshot with a member missing, of the wrong kind or out of bounds is malformed",
    arguments: [
      (["meta"], nil), (["meta"], 1), (["meta", "targets.json"], 1), (["meta", "a.json"], []),
      (["meta", "a.json"], ["version": 0]), (["meta", "a.json"], ["version": 1, "length": -1]),
      (["_type"], "targets"),
    ] as [([String], JSONTree?)])
  func snapshot(_ path: [String], _ value: JSONTree?) throws {
    repository.snapshot[path] = value
    try repository.publishSnapshot()
    try expectMalformed("1.snapshot.json")
  }

  @Test(
    "P9: targets with a member missing, of the wrong kind or out of bounds are malformed",
    arguments: [
      (["targets"], nil), (["targets"], []), (["targets", "a"], 1), (["targets", "a"], [:]),
      (["targets", "a"], ["length": -1, "hashes": ["sha256": "00"]]),
      (["targets", "a"], ["length": 1, "hashes": [:]]),
      (["targets", "a"], ["length": 1]), (["targets", "a"], ["length": "1", "hashes": ["sha256": "00"]]),
      (["targets", ""], ["length": 1, "hashes": ["sha256": "00"]]), (["_type"], "root"),
    ] as [([String], JSONTree?)])
  func targets(_ path: [String], _ value: JSONTree?) throws {
    repository.targets[path] = value
    try repository.publish()
    try expectMalformed("1.targets.json")
  }

  private func expectMalformed(_ file: String) throws {
    #expect {
      try device.refresh()
    } throws: { error in
      guard case .malformed(let found, _) = error as? TrustError else { return false }
      return found == file
    }
    let stored = file.drop { $0.isNumber || $0 == "." }
    #expect(try device.stored()[String(stored)] == nil)
  }

  @Test(
    "P9: well-formed JSON that is not metadata is malformed",
    arguments: [
      "[]", "{}", "{\"signed\":{}}", "{\"signatures\":[]}", "{\"signed\":[],\"signatures\":[]}",
      "{\"signed\":{},\"signatures\":{}}", "{\"signed\":{},\"signatures\":[1]}",
      "{\"signed\":{},\"signatures\":[{}]}", "{\"signed\":{},\"signatures\":[{\"keyid\":\"a\"}]}",
      "{\"signed\":{},\"signatures\":[{\"keyid\":1,\"sig\":\"\"}]}",
      "{\"signed\":{},\"signatures\":[{\"keyid\":\"a\",\"sig\":null}]}",
      "{\"signed\":null,\"signatures\":null}",
    ])
  func noMetadata(_ text: String) throws {
    repository.files["timestamp.json"] = Array(text.utf8)
    try expectMalformed("timestamp.json")
  }

  @Test("more signatures or keys than the limit are refused")
  func tooMany() throws {
    let signatures = (0...TrustLimits.signatures).map {
      JSONTree.object(["keyid": .text("\($0)"), "sig": ""])
    }
    repository.files["timestamp.json"] = Array(
      JSONTree.object(["signed": repository.timestamp, "signatures": .array(signatures)]).json.utf8)
    #expect(throws: TrustError.malformed(file: "timestamp.json", .tooMany("signatures"))) {
      try device.refresh()
    }
    try repository.rotateRoot {
      repository.root[["roles", "targets", "keyids"]] = .array((0...TrustLimits.keys).map { .text("\($0)") })
    }
    #expect(throws: TrustError.malformed(file: "2.root.json", .tooMany("keyids"))) { try device.refresh() }
  }

  @Test("an expiry beyond all calendars is taken, and one before 1970 is in the past")
  func extremeExpiry() throws {
    repository.timestamp["expires"] = "9999-12-31T23:59:59Z"
    try repository.publishTimestamp()
    try device.refresh()
    repository.bump("timestamp")
    repository.timestamp["expires"] = "1969-12-31T23:59:59Z"
    try repository.publishTimestamp()
    #expect(throws: TrustError.expired(file: "timestamp.json", at: -1)) { try device.refresh() }
  }
}
