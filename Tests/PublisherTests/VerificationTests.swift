import Catalog
import Platform
import Releases
import TestSupport
import Testing
import Trust

@testable import Publisher

@Suite("Verification")
struct VerificationTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  private func problems(_ edit: (inout Verification.Options) -> Void = { _ in }) throws -> [String] {
    var options = Verification.Options(now: TestRepository.now)
    edit(&options)
    return try Verification(of: Repository(opening: scratch.repository), options: options).problems
  }

  @Test("a whole repository has no problems, and a damaged one says which file it is")
  func damaged() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    try Maps.write(to: scratch) { Maps.changed($0) }
    let report = try await scratch.release("2")
    let found = try Verification(
      of: Repository(opening: scratch.repository), options: .init(now: TestRepository.now))
    #expect(found.problems == [] && found.files.map(\.version) == [1, 3, 3, 3])
    #expect(found.releases.map(\.components) == [3, 3])
    #expect(try problems { $0.depth = .contents } == [])
    #expect(try problems { $0.root = "\(scratch.repository)/metadata/1.root.json" } == [])

    let entry = try component(report, id: "europe/malta").entry
    let payload = try #require(entry.packed)
    let root = try Directory(opening: scratch.repository)
    for url in [report.catalog.catalogURL, entry.url, payload.url] {
      let bytes = try scratch.served(url)
      try root.remove(url)
      #expect(try problems().contains { $0.contains(url) }, "\(url)")
      try scratch.write(url, bytes + [0], in: "repository")
      #expect(try problems().contains { $0.contains(url) }, "\(url)")
      var changed = bytes
      changed[bytes.count / 2] ^= 1
      try scratch.write(url, changed, in: "repository")
      #expect(try problems { $0.depth = .contents }.contains { $0.contains(url) }, "\(url)")
      try scratch.write(url, bytes, in: "repository")
    }
    for name in ["1.root", "3.targets", "3.snapshot", "timestamp"] {
      let url = "metadata/\(name).json"
      let bytes = try scratch.served(url)
      try scratch.write(url, Array(bytes.dropLast(9)), in: "repository")
      #expect(try !problems().isEmpty, "\(url)")
      try scratch.write(url, bytes, in: "repository")
    }
    #expect(try problems() == [])
  }

  @Test(
    "every flipped byte of a payload is noticed by a deep look, and those of its head and first frame by any")
  func damagedPayload() async throws {
    // Noise in sixteen of 256 values: half its size, and several frames.
    try scratch.write("malta/base.x", Maps.data(1, size: 400_000))
    let report = try await scratch.release("1")
    let payload = try #require(try component(report, id: "malta").entry.packed)
    let bytes = try scratch.served(payload.url)
    guard case .patch(let whole) = try Inspection(of: "\(scratch.repository)/\(payload.url)") else {
      Issue.record("not a patch")
      return
    }
    #expect(whole.frames > 1)
    for index in [0, 3, 20, 40, 60, 5000, bytes.count - 60_000, bytes.count - 1] {
      var changed = bytes
      changed[index] ^= 0x10
      try scratch.write(payload.url, changed, in: "repository")
      #expect(try problems { $0.depth = .contents }.count == 1, "byte \(index)")
      #expect(try problems().count == (index < 60_000 ? 1 : 0), "byte \(index)")
    }
  }

  @Test("a whole payload in the place of another one is noticed, by its name as well")
  func exchangedPayload() async throws {
    try Maps.write(to: scratch)
    let report = try await scratch.release("1")
    let payloads = report.components.compactMap(\.entry.packed)
    try scratch.write(payloads[0].url, try scratch.served(payloads[1].url), in: "repository")
    let path = "\(scratch.repository)/\(payloads[0].url)"
    #expect(throws: PublisherError.inspection(.misnamed(path: path))) { try Inspection(of: path) }
    for url in [payloads[1].url, report.catalog.catalogURL, report.components[0].entry.url] {
      _ = try Inspection(of: "\(scratch.repository)/\(url)")
    }
    #expect(try problems().count == 1)
    let component = report.components[0].entry
    try scratch.write(component.url, try scratch.served(report.components[1].entry.url), in: "repository")
    #expect(throws: PublisherError.inspection(.misnamed(path: "\(scratch.repository)/\(component.url)"))) {
      try Inspection(of: "\(scratch.repository)/\(component.url)")
    }
  }

  @Test("metadata that cannot be read is a problem with its cause")
  func unreadable() async throws {
    try scratch.initialize()
    let url = "metadata/timestamp.json"
    let path = "\(scratch.repository)/\(url)"
    let bytes = try scratch.served(url)
    try scratch.write(url, bytes + [UInt8](repeating: 0x20, count: 20_000), in: "repository")
    #expect(try problems().first == "\(path) has more than 16.3 kB.")
    let root = try Directory(opening: scratch.repository)
    try root.remove("metadata/1.snapshot.json")
    try root.makeDirectory("metadata/1.snapshot.json")
    try scratch.write(url, bytes, in: "repository")
    #expect(try problems().first == "\(scratch.repository)/metadata/1.snapshot.json: Is a directory.")
  }

  @Test("expired metadata is a problem")
  func expired() async throws {
    try scratch.initialize()
    #expect(try problems { $0.now += 13 * 86_400 } == [])
    #expect(
      try problems { $0.now += 14 * 86_400 } == [
        TrustError.expired(file: "timestamp.json", at: TestRepository.now + 14 * 86_400).sentence
      ])
  }

  @Test("a device with the root of another repository does not trust this one")
  func foreign() async throws {
    let other = try TestRepository()
    try other.useOwnKeys()
    try other.initialize()
    try scratch.initialize()
    #expect(try !problems { $0.root = "\(other.repository)/metadata/1.root.json" }.isEmpty)
  }
}
