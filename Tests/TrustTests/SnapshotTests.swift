import TestSupport
import Testing
import TrustTestSupport

@testable import Trust

/// 5.5 and 5.6.1 to 5.6.6 of the specification.
@Suite("Snapshot and targets")
struct SnapshotTests {
  private let repository: SignedRepository
  private let device: TrustingDevice

  init() throws {
    repository = try SignedRepository()
    device = try TrustingDevice(repository)
  }

  /// Expects the error, and that the file that it is about was not stored.
  private func expectRefused(_ error: TrustError, keeping file: String = "snapshot.json") throws {
    let before = try device.stored()
    #expect(throws: error) { try device.refresh() }
    #expect(try device.stored()[file] == before[file])
  }

  @Test("5.5.2: mix and match: a snapshot that is not the one of the timestamp is refused")
  func wrongHash() throws {
    repository.bump("snapshot")
    repository.files["1.snapshot.json"] = try repository.sign(repository.snapshot, by: "snapshot")
    try expectRefused(.mismatched(file: "1.snapshot.json"))
  }

  @Test(
    "5.5.2: every listed digest of a known algorithm counts, and a length", arguments: ["sha512", "length"])
  func otherHashes(_ what: String) throws {
    if what == "length" {
      repository.timestamp[["meta", "snapshot.json", "length"]] = 10
    } else {
      repository.timestamp[["meta", "snapshot.json", "hashes", what]] = "00ff"
    }
    try repository.publishTimestamp()
    try expectRefused(
      what == "length" ? .notFetched(file: "1.snapshot.json") : .mismatched(file: "1.snapshot.json"))
  }

  @Test("5.5.2: digests of unknown algorithms alone are as good as a wrong one")
  func unknownHashes() throws {
    repository.timestamp[["meta", "snapshot.json", "hashes"]] = ["md5": "00"]
    try repository.publishTimestamp()
    try expectRefused(.mismatched(file: "1.snapshot.json"))
  }

  @Test("5.5.2: length and digests may be left out")
  func noHashes() throws {
    repository.timestamp[["meta", "snapshot.json"]] = ["version": 1]
    try repository.publishTimestamp()
    try device.refresh()
    try device.refresh()
    #expect(repository.requests == ["2.root.json", "timestamp.json"])
  }

  @Test("5.5.3: a snapshot that the snapshot key did not sign is refused")
  func unsigned() throws {
    repository.signers["snapshot"] = repository.signers["timestamp"]
    try repository.publish()
    try expectRefused(
      .unsigned(file: "1.snapshot.json", delegator: "root version 1", found: 0, threshold: 1))
  }

  @Test("5.5.4: a snapshot of another version than the timestamp says is refused")
  func wrongVersion() throws {
    repository.timestamp[["meta", "snapshot.json"]] = ["version": 2]
    repository.files["2.snapshot.json"] = repository.files["1.snapshot.json"]
    try repository.publishTimestamp()
    try expectRefused(.wrongVersion(file: "2.snapshot.json", expected: 2, found: 1))
  }

  @Test("5.5.5: rollback: an older targets file is refused")
  func targetsRollback() throws {
    repository.bump("targets")
    try repository.publish()
    try device.refresh()
    repository.targets["version"] = 1
    repository.bump("snapshot", "timestamp")
    try repository.publish()
    try expectRefused(.rolledBack(file: "targets.json", trusted: 2, found: 1))
  }

  @Test("5.5.5: rollback: a delegated role that is gone from the snapshot is refused")
  func dropped() throws {
    try repository.delegate("maps")
    try repository.publish()
    try device.refresh()
    repository.delegated["maps"] = nil
    repository.bump("snapshot", "timestamp")
    try repository.publish()
    try expectRefused(.dropped(file: "maps.json", from: "2.snapshot.json"))
  }

  @Test("5.5.5, P4: the stored snapshot bounds versions although the new timestamp's digest is not its own")
  func oldSnapshotStillBounds() throws {
    repository.targets["version"] = 5
    repository.snapshot["expires"] = "2024-07-01T00:00:00Z"
    try repository.publish()
    try device.refresh()
    device.now += 7 * 86_400
    repository.targets["version"] = 4
    repository.snapshot["expires"] = .text(SignedRepository.later)
    repository.bump("snapshot", "timestamp")
    try repository.publish()
    try expectRefused(.rolledBack(file: "targets.json", trusted: 5, found: 4))
  }

  @Test("5.5.6: an expired snapshot is refused and not stored")
  func expired() throws {
    repository.snapshot["expires"] = .text(SignedRepository.earlier)
    try repository.publish()
    try expectRefused(.expired(file: "1.snapshot.json", at: 1_704_067_200))
  }

  @Test("5.5: when the snapshot fails, the timestamp stays updated, and the next run continues")
  func afterFailure() throws {
    try device.refresh()
    repository.bump("snapshot", "timestamp")
    try repository.publish()
    repository.broken = ["2.snapshot.json"]
    try expectRefused(.notFetched(file: "2.snapshot.json"))
    #expect(try device.stored()["timestamp.json"] == repository.files["timestamp.json"])
    repository.broken = []
    try device.refresh()
    #expect(repository.requests == ["2.root.json", "timestamp.json", "2.snapshot.json"])
  }

  @Test("a stored file that is damaged is fetched again", arguments: ["timestamp", "snapshot", "targets"])
  func damaged(_ role: String) throws {
    try device.refresh()
    let before = try device.stored()
    let good = try #require(before["\(role).json"])
    for bad in [[], Array(good.prefix(good.count / 2)), good.map { $0 ^ 1 }] {
      try device.scratch.write("\(role).json", bad)
      try device.refresh()
      #expect(try device.stored() == before)
    }
  }

  // MARK: - Targets

  @Test("5.6.2: targets that are not those of the snapshot are refused")
  func targetsHash() throws {
    try repository.add("x")
    repository.files["1.targets.json"] = try repository.sign(repository.targets, by: "targets")
    // As long as before, so that only the digest differs.
    repository.snapshot[["meta", "targets.json", "length"]] = nil
    try repository.publishSnapshot()
    try expectRefused(.mismatched(file: "1.targets.json"), keeping: "targets.json")
  }

  @Test("5.6.3: targets that the targets key did not sign are refused")
  func targetsUnsigned() throws {
    repository.signers["targets"] = repository.signers["snapshot"]
    try repository.publish()
    try expectRefused(
      .unsigned(file: "1.targets.json", delegator: "root version 1", found: 0, threshold: 1),
      keeping: "targets.json")
  }

  @Test("5.6.4: targets of another version than the snapshot says are refused")
  func targetsVersion() throws {
    repository.snapshot[["meta", "targets.json"]] = ["version": 3]
    repository.files["3.targets.json"] = repository.files["1.targets.json"]
    try repository.publishSnapshot()
    try expectRefused(.wrongVersion(file: "3.targets.json", expected: 3, found: 1), keeping: "targets.json")
  }

  @Test("5.6.5: expired targets are refused and not stored")
  func targetsExpired() throws {
    repository.targets["expires"] = .text(SignedRepository.earlier)
    try repository.publish()
    try expectRefused(.expired(file: "1.targets.json", at: 1_704_067_200), keeping: "targets.json")
  }

  @Test("a snapshot that does not list the targets is refused without a request for them")
  func unlisted() throws {
    repository.snapshot[["meta"]] = [:]
    try repository.publishSnapshot()
    try expectRefused(.unlisted(file: "targets.json"), keeping: "targets.json")
    #expect(!repository.requests.contains("1.targets.json"))
  }

  @Test("endless data: a file is asked for with its listed length, and never with more than the limit")
  func limits() throws {
    var limits: [String: UInt64] = [:]
    repository.timestamp[["meta", "snapshot.json", "length"]] = 1_000_000_000
    repository.timestamp[["meta", "snapshot.json", "hashes"]] = nil
    try repository.publishTimestamp()
    var client = try device.open()
    #expect(throws: TrustError.mismatched(file: "1.snapshot.json")) {
      _ = try client.refresh { file, limit in
        limits[file] = limit
        return repository.fetch(file, limit)
      }
    }
    #expect(limits["2.root.json"] == 512_000)
    #expect(limits["timestamp.json"] == 16_384)
    #expect(limits["1.snapshot.json"] == TrustLimits.fileInMemory)
  }
}
