import Crypto
import JSONReading
import Platform
import TestSupport
import Testing
import Trust

@testable import Publisher

@Suite("Changes of keys")
struct KeyChangeTests {
  private let scratch: TestRepository

  /// With keys of its own: they are set aside.
  init() throws {
    scratch = try TestRepository()
    try scratch.useOwnKeys()
    try scratch.initialize()
  }

  @Test("every role's key can be replaced, and devices walk up from the first root")
  func rotation() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    let old = try Device(scratch)
    #expect(try old.labels() == ["1"])
    for (index, role) in Root.TopLevel.allCases.enumerated() {
      var session = try scratch.session()
      let before = try RootContent(session.served.root)[role].keys
      let change = try session.rotateKey(nil, of: role)
      #expect(change.outcome == .published && change.removed == before[0].id)
      #expect(session.served.root.head.version == UInt64(index) + 2)
      #expect(session.served.root.role(role).keyIDs.map(\.text) == [change.added?.id])
      _ = consume session
      #expect(try old.labels() == ["1"])
      #expect(try Device(scratch, name: "\(role.name)").labels() == ["1"])
      #expect(try !scratch.store.has(role, id: before[0].id))
      let names = try names(scratch.store.path)
      #expect(names.contains("\(role.name)-\(before[0].shortID).pem.revoked"))
    }
    try await scratch.release("2")
    #expect(try old.labels() == ["1", "2"])
  }

  @Test("a second key, a threshold of two, and the first key revoked")
  func thresholds() throws {
    let device = try Device(scratch)
    #expect(try device.labels() == [])
    var session = try scratch.session()
    let first = try RootContent(session.served.root)[.timestamp].keys[0]
    #expect(throws: PublisherError.keyChange(.badThreshold(role: "timestamp", threshold: 1, keys: 0))) {
      try session.revokeKey(first.id, of: .timestamp)
    }
    #expect(throws: PublisherError.keyChange(.badThreshold(role: "timestamp", threshold: 3, keys: 2))) {
      try session.addKey(.made(.ed25519), to: .timestamp, threshold: 3)
    }
    let change = try session.addKey(.made(.ed25519), to: .timestamp, threshold: 2)
    #expect((change.keys, change.threshold, change.outcome) == (2, 2, .published))
    #expect(try session.served.timestamp.validKeys(session.served.root) == 2)
    #expect(try device.labels() == [])
    #expect(throws: PublisherError.keyChange(.alreadyListed(role: "timestamp", id: first.id))) {
      try session.addKey(.elsewhere(first), to: .timestamp)
    }
    #expect(throws: PublisherError.keyChange(.idTooShort("1234567"))) {
      try session.revokeKey("1234567", of: .root)
    }
    #expect(throws: PublisherError.keyChange(.unknown(role: "root", "ffffffffx"))) {
      try session.revokeKey("ffffffffx", of: .root)
    }
    #expect(throws: PublisherError.keyChange(.ambiguous(role: "timestamp", ""))) {
      try session.rotateKey(nil, of: .timestamp)
    }
    _ = try session.revokeKey(String(first.id.prefix(8)), of: .timestamp, threshold: 1)
    #expect(!session.served.timestamp.signatures.isEmpty)
    #expect(try session.served.timestamp.isValid(under: session.served.root))
    #expect(try device.labels() == [])
  }

  @Test("a key that an interrupted change left in use is set aside by the next command, and no other")
  func interruptedRevocation() throws {
    try scratch.initialize()
    let old: MetadataKey
    do {
      var session = try scratch.session()
      old = try RootContent(session.served.root)[.targets].keys[0]
      _ = try session.rotateKey(nil, of: .targets)
    }
    // One more root, so that the one that listed the key is not the last but one.
    do {
      var session = try scratch.session()
      _ = try session.rotateKey(nil, of: .snapshot)
    }
    let unlisted = try scratch.store.make(.targets, scheme: .ed25519)
    try scratch.store.restore(.targets, key: old)
    #expect(try scratch.store.has(.targets, id: old.id))
    let session = try scratch.session()
    #expect(try !scratch.store.has(.targets, id: old.id))
    let listed = try RootContent(session.served.root)[.targets].keys[0]
    #expect(Set(try scratch.store.keys(.targets).map(\.id)) == [listed.id, unlisted.id])
  }

  @Test("what a revoked key signs is refused by devices, and by the publisher")
  func stolen() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    let old = try RootContent(ServedMetadata(of: Repository(opening: scratch.repository)).root)
    let device = try Device(scratch)
    #expect(try device.labels() == ["1"])
    // The thief has the keys of that moment.
    let thief = KeyStore("\(scratch.path)/thief") { (_) in Array(SharedKeys.passphrase.utf8) }
    try thief.makeDirectory()
    for name in try names(scratch.store.path) {
      let bytes = try File(opening: "\(scratch.store.path)/\(name)").bytes(upTo: 9999)
      try Directory(opening: thief.path).open(name, to: .makePrivate).write(bytes.span.bytes)
    }
    do {
      var session = try scratch.session()
      _ = try session.rotateKey(nil, of: .timestamp)
    }
    let served = try ServedMetadata(of: Repository(opening: scratch.repository))
    let head = Validity().head(.timestamp, after: served.timestamp, now: TestRepository.now)
    var forged = try SignedFile(
      MetadataText.listing(served.snapshot, in: .timestamp, head: head), file: "timestamp.json")
    try forged.sign(by: old[.timestamp].keys, in: thief)
    try scratch.write("metadata/timestamp.json", forged.bytes, in: "repository")
    guard case .unsigned = device.refusal() else {
      Issue.record("not refused")
      return
    }
    // It is valid under the root before the newest, so it is taken for an interrupted change, and signed again.
    do {
      let session = try scratch.session()
      #expect(try session.served.timestamp.isValid(under: session.served.root))
    }
    #expect(try device.labels() == ["1"])
  }

  @Test("interrupted between any two files, devices keep what they have and the next command finishes")
  func interruption() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    for role in Root.TopLevel.allCases {
      let before = try scratch.tree()
      // Without the old key, the root has to come before the timestamp.
      for isLost in [false, true] where role != .root {
        let session = try scratch.session()
        let key = try RootContent(session.served.root)[role].keys[0]
        _ = consume session
        try change(role, key: key, isLost: isLost)
        let after = try scratch.tree()
        let root = after.keys.filter { $0.hasSuffix(".root.json") && before[$0] == nil }
        let files = after.keys.filter {
          before[$0] != after[$0] && !root.contains($0) && !$0.contains("timestamp")
        }
        let timestamp = ["metadata/timestamp.json"]
        let order = files.sorted { $0.contains("targets") && !$1.contains("targets") }
        let sequence = order + (isLost ? root + timestamp : timestamp + root)
        for count in 0...sequence.count {
          let partial = try TestRepository()
          partial.store = scratch.store
          for (name, bytes) in before { try partial.write(name, bytes, in: "repository") }
          let device = try Device(partial)
          #expect(try device.labels() == ["1"])
          for name in sequence.prefix(count) { try partial.write(name, after[name] ?? [], in: "repository") }
          if !isLost || count != sequence.count - 1 { #expect(try device.labels() == ["1"]) }
          do {
            let session = try partial.session()
            for role in Root.TopLevel.allCases {
              #expect(try session.served[role].isValid(under: session.served.root))
            }
          }
          #expect(try device.labels() == ["1"])
        }
        // Back to where it was, for the other order.
        try scratch.restore(before)
        try scratch.store.restore(role, key: key)
      }
    }
  }

  private func change(_ role: Root.TopLevel, key: MetadataKey, isLost: Bool) throws {
    if isLost { try scratch.store.revoke(role, id: key.id) }
    var session = try scratch.session()
    #expect(try session.rotateKey(nil, of: role).outcome == .published)
  }
}

extension KeyStore {
  /// Brings a key back that was set aside.
  fileprivate func restore(_ role: Root.TopLevel, key: MetadataKey) throws(Failure) {
    let name = "\(role.name)-\(key.shortID).pem"
    try Directory(opening: path).rename("\(name).revoked", to: name)
  }
}
