import Crypto
import MapModel
import Platform
import Releases
import Testing
import Trust

@testable import Publisher

@Suite("Metadata")
struct MetadataTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  /// The ids are securesystemslib's, by SHA-256 of `encode_canonical`.
  @Test("a key's id is the one that other implementations compute")
  func keyIDs() throws {
    let plain = try MetadataKey(
      .ed25519, text: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    #expect(plain.id == "74c181c7ad8a0855d4b55e44d2ba87aabdddb196832571f15f92fece332e4916")
    let lines = try MetadataKey(
      .ecdsaP256,
      text: """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7
        Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLyk8vGyDC1+n1F3o8KU1EYimQ==
        -----END PUBLIC KEY-----

        """)
    #expect(lines.id == "874419e664e388f41c5fe64396add07245d715af6fb91d9ee84d098228f6c40a")
  }

  @Test("a targets file is canonical JSON, and leaves out what is the default")
  func targets() throws {
    let head = MetadataText.Head(version: 7, issued: 0, expires: 86_400)
    var releases = [
      ServedRelease(
        Release(number: 1, label: "a\"b\\é\u{1}"), catalog: CatalogReference(digest: Digest(), size: 5)),
      ServedRelease(
        Release(number: 2, label: "2"), catalog: CatalogReference(digest: Digest(), size: 6),
        minimumApplication: 3, rollout: 25, effective: 86_400, expires: 172_800),
    ]
    releases[1].recall = Recall(
      because: "it is bad",
      back: CatalogedRelease(
        Release(number: 1, label: "1"), catalog: CatalogReference(digest: Digest(), size: 7)))
    let file = try SignedFile(MetadataText.targets(releases, head: head), file: "x")
    let zeros = String(repeating: "0", count: 64)
    let expected = """
      {"_type":"targets","expires":"1970-01-02T00:00:00Z","issued":"1970-01-01T00:00:00Z",\
      "spec_version":"1.0.31","targets":{"catalogs/1.update.xz":{"custom":{"label":"a\\"b\\\\é\u{1}","release":1},\
      "hashes":{"sha256":"\(zeros)"},"length":5},"catalogs/2.update.xz":{"custom":{"effective":"1970-01-02T00:00:00Z",\
      "expires":"1970-01-03T00:00:00Z","label":"2",\
      "minimumApplication":3,"recalled":{"back":{"hashes":{"sha256":"\(zeros)"},"label":"1","length":7,"release":1},\
      "because":"it is bad"},"release":2,"rollout":25},"hashes":{"sha256":"\(zeros)"},"length":6}},"version":7}
      """
    #expect(String(decoding: file.canonical, as: UTF8.self) == expected)
    #expect(try SignedFile(parsing: file.bytes, file: "x") == file)
    #expect(try file.releases == releases)
    #expect((file.name, file.version, file.validity) == ("7.targets.json", 7, 86_400))
  }

  @Test("a device sees each release when it is published")
  func device() async throws {
    try Maps.write(to: scratch)
    try scratch.initialize()
    let device = try Device(scratch)
    #expect(try device.labels() == [])
    try scratch.write("europe/malta/map.xml", "<map minimum-reader=\"4\"/>")
    let one = try await scratch.release("1", rollout: 20)
    #expect(try device.releases() == [one.catalog])
    #expect((one.catalog.minimumApplication, one.catalog.rollout, one.outcome) == (4, 20, .published))
    try await scratch.release("2")
    #expect(try device.labels() == ["1", "2"])
    #expect(one.catalog.catalogURL.utf8.starts(with: "catalogs/\(one.catalog.catalog.digest.hex).1".utf8))
  }

  @Test("the validity of a role's signatures is kept until it is changed")
  func validity() async throws {
    try Maps.write(to: scratch)
    scratch.setup.validity[.timestamp] = 3
    try await scratch.release("1")
    let day: Int64 = 86_400
    var session = try scratch.session(now: TestRepository.now + day)
    #expect(session.served.timestamp.expires == TestRepository.now + 3 * day)
    #expect(session.served.targets.expires == TestRepository.now + 365 * day)
    #expect(try session.renew(.timestamp) == .published)
    #expect(session.served.timestamp.expires == TestRepository.now + 4 * day)
    #expect(session.served.timestamp.version == 3 && session.served.snapshot.version == 2)
    #expect(session.expiring() == [])
    _ = consume session

    var validity = Validity()
    validity[.targets] = 10
    session = try scratch.session(validity, now: TestRepository.now + 2 * day)
    #expect(try session.renew(.targets) == .published)
    #expect(session.served.targets.expires == TestRepository.now + 12 * day)
    #expect((session.served.targets.version, session.served.snapshot.version) == (3, 3))
    #expect(session.served.releases.map(\.label) == ["1"])
    _ = consume session
    session = try scratch.session(now: TestRepository.now + 340 * day)
    #expect(session.expiring().map(\.role) == [.root, .targets, .snapshot])
    #expect(try session.renew(.root) == .published)
    #expect(session.served.root.head.version == 2)
    #expect(session.served.rootFile.expires == TestRepository.now + 705 * day)
  }

  @Test("the share of a release changes, and nothing else")
  func rollout() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1", rollout: 5)
    try await scratch.release("2")
    var session = try scratch.session()
    #expect(try session.setRollout("1", to: 50) == .published)
    #expect(session.served.releases.map(\.rollout) == [50, 100])
    #expect(try Device(scratch).releases().map(\.rollout) == [50, 100])
    let missing = PublisherError.label(.unknown("3", path: scratch.repository))
    do throws(PublisherError) {
      _ = try session.setRollout("3", to: 50)
      Issue.record("not refused")
    } catch { #expect(error == missing) }
  }

  @Test("a metadata file is shown with the signatures that count")
  func inspection() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    for name in ["1.root", "2.targets", "2.snapshot", "timestamp"] {
      let path = "\(scratch.repository)/metadata/\(name).json"
      guard case .metadata(let metadata) = try Inspection(of: path) else {
        Issue.record("not recognised")
        return
      }
      #expect(metadata.signatures.map(\.isValid) == [true])
      #expect(metadata.threshold == 1)
      try scratch.write("alone", try scratch.served("metadata/\(name).json"))
      guard case .metadata(let alone) = try Inspection(of: "\(scratch.input)/alone") else { return }
      #expect(alone.signatures.map(\.isValid) == [name == "1.root" ? true : nil])
    }
    try scratch.write("other", "{\"a\":1}")
    #expect(throws: PublisherError.self) { try Inspection(of: "\(scratch.input)/other") }
  }
}
