import Testing
import TrustTestSupport

@testable import Trust

/// 5.4 of the specification.
@Suite("Timestamp")
struct TimestampTests {
  private let repository: SignedRepository
  private let device: TrustingDevice

  init() throws {
    repository = try SignedRepository()
    device = try TrustingDevice(repository)
  }

  @Test("a second run without anything new makes exactly two requests")
  func twoRequests() throws {
    try device.refresh()
    let before = try device.stored()
    try device.refresh()
    #expect(repository.requests == ["2.root.json", "timestamp.json"])
    #expect(try device.stored() == before)
  }

  @Test("5.4.2: a timestamp that the root's timestamp key did not sign is refused")
  func unsigned() throws {
    repository.files["timestamp.json"] = try repository.sign(repository.timestamp, by: "snapshot")
    #expect(
      throws: TrustError.unsigned(file: "timestamp.json", delegator: "root version 1", found: 0, threshold: 1)
    ) { try device.refresh() }
    #expect(try device.stored().keys.sorted() == ["root.json"])
  }

  @Test("5.4.3.1: rollback: an older timestamp is refused")
  func rollback() throws {
    let old = repository.files["timestamp.json"]
    repository.bump("timestamp")
    try repository.publishTimestamp()
    try device.refresh()
    let before = try device.stored()
    repository.files["timestamp.json"] = old
    #expect(throws: TrustError.rolledBack(file: "timestamp.json", trusted: 2, found: 1)) {
      try device.refresh()
    }
    #expect(try device.stored() == before)
  }

  @Test("5.4.3.1: another timestamp of the same version is passed over, and the old one kept")
  func sameVersion() throws {
    try device.refresh()
    let before = try device.stored()
    repository.bump("snapshot")
    try repository.publish()
    try device.refresh()
    #expect(repository.requests == ["2.root.json", "timestamp.json"])
    #expect(try device.stored() == before)
  }

  @Test(
    "5.4.3.2, P5: a timestamp with an older snapshot is refused and not stored, so that good ones still pass")
  func snapshotRollback() throws {
    repository.bump("snapshot", "timestamp")
    try repository.publish()
    try device.refresh()
    let before = try device.stored()
    repository.snapshot["version"] = 1
    repository.timestamp["version"] = 50
    try repository.publish()
    #expect(throws: TrustError.rolledBack(file: "snapshot.json", trusted: 2, found: 1)) {
      try device.refresh()
    }
    #expect(try device.stored() == before)
    repository.snapshot["version"] = 3
    repository.timestamp["version"] = 3
    try repository.publish()
    try device.refresh()
  }

  @Test("5.4.4: freeze: an expired timestamp is refused and not stored")
  func expired() throws {
    repository.bump("timestamp")
    repository.timestamp["expires"] = .text(SignedRepository.earlier)
    try repository.publishTimestamp()
    #expect(throws: TrustError.expired(file: "timestamp.json", at: 1_704_067_200)) { try device.refresh() }
    #expect(try device.stored().keys.sorted() == ["root.json"])
  }

  @Test("5.4.4: freeze: a timestamp that was good once is refused when it has expired")
  func frozen() throws {
    try repository.rotateRoot { repository.root["expires"] = "2030-01-01T00:00:00Z" }
    try device.refresh()
    device.now = 1_735_689_600  // 2025
    #expect(throws: TrustError.expired(file: "timestamp.json", at: 1_735_603_200)) { try device.refresh() }
    #expect(repository.requests == ["3.root.json", "timestamp.json"])
  }

  @Test("P4: an expired stored timestamp still bounds versions")
  func expiredStillBounds() throws {
    repository.timestamp["version"] = 7
    repository.timestamp["expires"] = "2024-07-01T00:00:00Z"
    try repository.publishTimestamp()
    try device.refresh()
    device.now += 7 * 86_400
    repository.timestamp["version"] = 6
    repository.timestamp["expires"] = .text(SignedRepository.later)
    try repository.publishTimestamp()
    #expect(throws: TrustError.rolledBack(file: "timestamp.json", trusted: 7, found: 6)) {
      try device.refresh()
    }
  }

  @Test("P16: after whatever went wrong, the next run works")
  func afterFailure() throws {
    let good = repository.files["timestamp.json"]
    for bad in [nil, [], Array("<html>log in</html>".utf8), good.map { Array($0.dropLast()) }] {
      repository.files["timestamp.json"] = bad
      #expect(throws: TrustError.self) { try device.refresh() }
    }
    repository.files["timestamp.json"] = good
    try device.refresh()
  }

  @Test("P15: a captive portal that answers everything with a page is refused, and nothing of it is stored")
  func captivePortal() throws {
    let page = Array("<!DOCTYPE html><title>Welcome</title>".utf8)
    let before = try device.stored()
    repository.files["2.root.json"] = page
    #expect(throws: TrustError.self) { try device.refresh() }
    #expect(try device.stored() == before)
  }
}
