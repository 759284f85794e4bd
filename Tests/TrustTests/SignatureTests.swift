import Crypto
import Testing
import TrustTestSupport

@testable import Trust

/// Thresholds and keys: 4.2, 4.3 and pitfalls P1, P9, P10, P12.
@Suite("Signatures")
struct SignatureTests {
  private let repository: SignedRepository
  private let device: TrustingDevice

  init() throws {
    repository = try SignedRepository()
    device = try TrustingDevice(repository)
  }

  /// Serves a timestamp with these signatures.
  private func serve(_ signatures: [JSONTree]) throws {
    repository.files["timestamp.json"] = Array(
      JSONTree.object(["signed": repository.timestamp, "signatures": .array(signatures)]).json.utf8)
  }

  private func expectUnsigned(found: Int, of threshold: Int, root version: Int = 2) {
    #expect(
      throws: TrustError.unsigned(
        file: "timestamp.json", delegator: "root version \(version)", found: found, threshold: threshold)
    ) { try device.refresh() }
  }

  @Test("every kind of key signs and verifies", arguments: [SignatureScheme.ed25519, .ecdsaP256, .rsaPSS])
  func schemes(_ scheme: SignatureScheme) throws {
    let repository = try SignedRepository()
    try repository.rotateRoot { try repository.setKeys([SigningKey(scheme)], for: "timestamp") }
    try repository.publish()
    try TrustingDevice(repository).refresh()
  }

  @Test("a threshold is reached by that many keys, and not by fewer")
  func threshold() throws {
    let keys = try (0..<3).map { _ in try SigningKey() }
    try repository.rotateRoot { try repository.setKeys(keys, for: "timestamp", threshold: 2) }
    try serve([keys[1].signature(of: repository.timestamp)])
    expectUnsigned(found: 1, of: 2)
    try serve([keys[2].signature(of: repository.timestamp), keys[0].signature(of: repository.timestamp)])
    try device.refresh()
  }

  @Test("P1: a file in which a key signs twice is refused")
  func repeatedSignature() throws {
    let keys = [try SigningKey(), try SigningKey()]
    try repository.rotateRoot { try repository.setKeys(keys, for: "timestamp", threshold: 2) }
    let one = try keys[0].signature(of: repository.timestamp)
    try serve([one, one])
    #expect(throws: TrustError.malformed(file: "timestamp.json", .repeated("signatures"))) {
      try device.refresh()
    }
  }

  @Test("P1: one key under two ids counts once, in whatever case its digits are")
  func sameKeyTwice() throws {
    let key = try SigningKey()
    try repository.rotateRoot {
      try repository.setKeys([key], for: "timestamp", threshold: 2)
      var copy = key.tree
      if case .text(let digits)? = copy[["keyval", "public"]] {
        copy[["keyval", "public"]] = .text(digits.uppercased())
      }
      repository.root[["keys", "copy"]] = copy
      repository.root[["roles", "timestamp", "keyids"]] = [.text(key.id), "copy"]
    }
    try serve([
      key.signature(of: repository.timestamp), key.signature(of: repository.timestamp, id: "copy"),
    ])
    expectUnsigned(found: 1, of: 2)
  }

  @Test("a role that names a key twice makes the file malformed")
  func repeatedKeyID() throws {
    let key = try SigningKey()
    try repository.rotateRoot {
      try repository.setKeys([key], for: "timestamp", threshold: 2)
      repository.root[["roles", "timestamp", "keyids"]] = [.text(key.id), .text(key.id)]
    }
    #expect(throws: TrustError.malformed(file: "2.root.json", .repeated("keyids"))) { try device.refresh() }
  }

  @Test("P10: a threshold below one is refused", arguments: [0, -1])
  func thresholdZero(_ threshold: Int) throws {
    try repository.rotateRoot { repository.root[["roles", "timestamp", "threshold"]] = .number(threshold) }
    #expect(throws: TrustError.malformed(file: "2.root.json", .value("threshold"))) { try device.refresh() }
  }

  @Test("extraneous keys: a key of another role, or of no role, does not count")
  func extraneousKeys() throws {
    let thief = try SigningKey()
    try repository.rotateRoot { repository.root[["keys", thief.id]] = thief.tree }
    let snapshot = try #require(repository.signers["snapshot"]?.first)
    try serve([
      thief.signature(of: repository.timestamp), snapshot.signature(of: repository.timestamp),
      SigningKey().signature(of: repository.timestamp),
    ])
    expectUnsigned(found: 0, of: 1)
  }

  @Test("wrong keyid: a signature counts for the key that its id names, and for no other")
  func wrongKeyID() throws {
    let own = try #require(repository.signers["timestamp"]?.first)
    let thief = try SigningKey()
    try serve([thief.signature(of: repository.timestamp, id: own.id)])
    expectUnsigned(found: 0, of: 1, root: 1)
    // The right key under the wrong name is not a signature either.
    try serve([own.signature(of: repository.timestamp, id: thief.id)])
    expectUnsigned(found: 0, of: 1, root: 1)
  }

  @Test("wrong keyid: an id need not be the digest of its key, as some repositories in the field have others")
  func foreignKeyIDs() throws {
    let key = try SigningKey()
    try repository.rotateRoot {
      repository.root[["keys", "any name"]] = key.tree
      repository.root[["roles", "timestamp", "keyids"]] = ["any name"]
    }
    try serve([key.signature(of: repository.timestamp, id: "any name")])
    try device.refresh()
  }

  @Test("P12: a key of an unknown kind, or none at all, does not make the file unreadable; it never verifies")
  func unknownKeys() throws {
    let key = try SigningKey()
    try repository.rotateRoot {
      try repository.setKeys([key], for: "timestamp")
      repository.root[["keys", "future"]] = [
        "keytype": "lattice", "scheme": "dilithium", "keyval": ["public": ["parts": 3]],
      ]
      repository.root[["keys", "broken"]] = [
        "keytype": "ed25519", "scheme": "ed25519", "keyval": ["public": "not hexadecimal"],
      ]
      repository.root[["roles", "timestamp", "keyids"]] = ["future", "broken", "nowhere", .text(key.id)]
    }
    let zeros = String(repeating: "00", count: 64)
    try serve(["future", "broken", "nowhere"].map { ["keyid": .text($0), "sig": .text(zeros)] })
    expectUnsigned(found: 0, of: 1)
    try serve([["keyid": "future", "sig": "00"], key.signature(of: repository.timestamp)])
    try device.refresh()
  }

  @Test("P12: the old name of an ECDSA key's type is understood")
  func oldKeytype() throws {
    let key = try SigningKey(.ecdsaP256)
    try repository.rotateRoot {
      try repository.setKeys([key], for: "timestamp")
      repository.root[["keys", key.id, "keytype"]] = "ecdsa-sha2-nistp256"
    }
    try repository.publishTimestamp()
    try device.refresh()
  }

  @Test(
    "a signature that is none counts nothing, and no error",
    arguments: ["", "0", "zz", "00", String(repeating: "0", count: 6000), "ünicode"])
  func malformedSignatures(_ text: String) throws {
    let own = try #require(repository.signers["timestamp"]?.first)
    try serve([["keyid": .text(own.id), "sig": .text(text)]])
    expectUnsigned(found: 0, of: 1, root: 1)
    // Keyholders that have not signed yet leave theirs empty.
    try serve([["keyid": "other", "sig": .text(text)], own.signature(of: repository.timestamp)])
    try device.refresh()
  }

  @Test("unknown members are legal everywhere, and signed like all others")
  func unknownMembers() throws {
    try repository.rotateRoot {
      repository.root["x-note"] = ["line\nbreak": ["\"", "\\", .raw("null"), true, -5]]
      repository.root[["roles", "timestamp", "x"]] = 1
      repository.root[["roles", "root", "x-é"]] = "ü"
      let id = repository.signers["timestamp"]?.first?.id ?? ""
      repository.root[["keys", id, "x-owner"]] = "somebody"
    }
    repository.timestamp["x"] = []
    repository.targets["x"] = [:]
    try repository.add("f")
    repository.targets[["targets", "f", "x"]] = 9
    try repository.publish()
    try device.refresh()
    repository.files["2.root.json"] = try #require(repository.files["2.root.json"]).map {
      $0 == UInt8(ascii: "5") ? UInt8(ascii: "6") : $0
    }
    #expect(throws: TrustError.self) { try TrustingDevice(repository).refresh() }
  }
}
