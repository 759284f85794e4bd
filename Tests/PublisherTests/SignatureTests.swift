import Crypto
import MapModel
import Platform
import Releases
import TestSupport
import Testing
import Trust

@testable import Publisher

@Suite("Signatures from other machines")
struct SignatureTests {
  private let scratch: TestRepository
  /// Another machine, with one of two keys.
  private let elsewhere: KeyStore

  init() throws {
    scratch = try TestRepository()
    try scratch.useOwnKeys()
    elsewhere = KeyStore("\(scratch.path)/elsewhere") { (_) in Array(SharedKeys.passphrase.utf8) }
    try elsewhere.makeDirectory()
  }

  private func moveKey(_ role: Root.TopLevel) throws {
    let names = try names(scratch.store.path)
    let name = try #require(names.first { $0.hasPrefix("\(role.name)-") })
    try Directory(opening: scratch.path).rename("own.keys/\(name)", to: "elsewhere/\(name)")
  }

  /// Exports the pending files and signs them elsewhere; returns their paths.
  private func signElsewhere() throws -> [String] {
    let repository = try Repository(opening: scratch.repository)
    let paths = try PendingFiles(of: repository).export(to: scratch.path, of: repository)
    for path in paths {
      var file = try SignedFile(at: path)
      _ = try file.sign(in: elsewhere, savedAt: OutputPath(file: path, inputs: []))
    }
    return paths
  }

  @Test("a release waits for the second key's owner; devices do not see it before")
  func release() async throws {
    scratch.setup[.targets] = RepositorySetup.Quorum(2, of: 2)
    try scratch.initialize()
    try moveKey(.targets)
    try Maps.write(to: scratch)
    let device = try Device(scratch)
    let report = try await scratch.release("1")
    let lacking = MissingSignatures(file: "2.targets.json", role: .targets, found: 1, threshold: 2)
    #expect(report.outcome == .pending([lacking]))
    #expect(try device.labels() == [])
    #expect(await scratch.refusal("1") == .label(.inUse("1", number: 1)))
    // The next one waits with it.
    #expect(try await scratch.release("2").outcome == .pending([lacking]))
    do {
      var session = try scratch.session()
      #expect(try session.renew(.timestamp) == .published)
      #expect(session.pending.targets?.version == 2)
    }

    let paths = try signElsewhere()
    var session = try scratch.session()
    #expect(try session.importSignatures(paths) == .published)
    #expect(session.pending.isEmpty)
    #expect(try device.labels() == ["1", "2"])
    #expect(throws: PublisherError.signatures(.nothingPending(path: scratch.repository))) {
      try session.importSignatures(paths)
    }
    _ = consume session
    #expect(
      try Verification(of: Repository(opening: scratch.repository), options: .init(now: TestRepository.now))
        .problems
        == [])
  }

  @Test("a file that says something else is not taken, and neither is a signature that does not count")
  func refused() async throws {
    scratch.setup[.targets] = RepositorySetup.Quorum(2, of: 2)
    try scratch.initialize()
    try moveKey(.targets)
    try Maps.write(to: scratch)
    _ = try await scratch.release("1")
    let stale = try signElsewhere()[0]
    _ = try await scratch.release("2")
    var session = try scratch.session()
    #expect(throws: PublisherError.signatures(.contentDiffers(path: stale))) {
      try session.importSignatures([stale])
    }
    #expect(
      throws: PublisherError.signatures(.notPending(path: "\(scratch.repository)/metadata/timestamp.json"))
    ) {
      try session.importSignatures(["\(scratch.repository)/metadata/timestamp.json"])
    }
    var forged = try #require(session.pending.targets)
    for signature in try SignedFile(at: stale).signatures { forged.add(signature) }
    try scratch.write("forged", forged.bytes)
    guard case .pending(let missing) = try session.importSignatures(["\(scratch.input)/forged"]) else {
      Issue.record("published")
      return
    }
    #expect(missing.map(\.found) == [1])
  }

  @Test("new keys of the targets publish what waits only if that is allowed, and other keys leave it alone")
  func waiting() async throws {
    scratch.setup[.targets] = RepositorySetup.Quorum(2, of: 2)
    try scratch.initialize()
    try Maps.write(to: scratch)
    let device = try Device(scratch)
    #expect(try await scratch.release("1").outcome == .published)
    try moveKey(.targets)
    let key = try #require(elsewhere.keys(.targets).first)
    guard case .pending = try await scratch.release("2").outcome else {
      Issue.record("published")
      return
    }
    var session = try scratch.session()
    #expect(try session.rotateKey(nil, of: .timestamp).outcome == .published)
    let tree = try scratch.tree()
    let unseen = try #require(try session.pending.releases()?.last)
    let refusal = PublisherError.keyChange(.publishesPending([unseen]))
    #expect(
      refusal.sentence.hasPrefix("\(unseen.release.text), for 100 % of the devices, waits for signatures"))
    #expect(throws: refusal) { try session.rotateKey(key.id, of: .targets) }
    #expect(throws: refusal) { try session.revokeKey(key.id, of: .targets, threshold: 1) }
    #expect(throws: refusal) { try session.addKey(.made(.ed25519), to: .targets) }
    #expect(try scratch.tree() == tree)
    #expect(try device.labels() == ["1"])
    #expect(try session.rotateKey(key.id, of: .targets, waiting: .publish).outcome == .published)
    #expect(try device.labels() == ["1", "2"])
    // Nothing waits any more.
    #expect(try session.rotateKey(scratch.store.keys(.targets)[0].id, of: .targets).outcome == .published)
  }

  @Test("a new root waits for root keys on another machine; releases continue meanwhile")
  func root() async throws {
    scratch.setup[.root] = RepositorySetup.Quorum(2, of: 2)
    try scratch.initialize()
    try moveKey(.root)
    let device = try Device(scratch)
    var session = try scratch.session()
    guard case .pending(let missing) = try session.rotateKey(nil, of: .timestamp).outcome else {
      Issue.record("published")
      return
    }
    #expect(missing == [MissingSignatures(file: "2.root.json", role: .root, found: 1, threshold: 2)])
    // A second change goes into the same root.
    guard case .pending = try session.addKey(.made(.ed25519), to: .snapshot).outcome else { return }
    _ = consume session
    try Maps.write(to: scratch)
    #expect(try await scratch.release("1").outcome == .published)
    #expect(try device.labels() == ["1"])
    let paths = try signElsewhere()
    session = try scratch.session()
    #expect(try session.importSignatures(paths) == .published)
    #expect(session.served.root.head.version == 2)
    #expect(session.served.root.role(.snapshot).keyIDs.count == 2)
    #expect(try device.labels() == ["1"])
  }

  @Test("a machine without the keys of the role says so")
  func noKeys() async throws {
    try scratch.initialize()
    let path = "\(scratch.repository)/metadata/1.root.json"
    var file = try SignedFile(at: path)
    let output = try OutputPath(file: path, inputs: [])
    do throws(PublisherError) {
      _ = try file.sign(in: elsewhere, savedAt: output)
      Issue.record("signed")
    } catch { #expect(error == .keys(.noKeys(role: "root", path: elsewhere.path))) }
    try moveKey(.timestamp)
    try Maps.write(to: scratch)
    let missing = PublisherError.signatures(
      .tooFewKeys(
        role: "timestamp", found: 0, threshold: 1, path: scratch.store.path))
    #expect(await scratch.refusal() == missing)
  }
}
