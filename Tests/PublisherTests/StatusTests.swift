import Catalog
import Crypto
import MapModel
import Platform
import Releases
import TestSupport
import Testing
import Trust

@testable import Publisher

@Suite("Status of a repository")
struct StatusTests {
  private let scratch: TestRepository
  private static let day: Int64 = 86_400

  init() throws {
    scratch = try TestRepository()
    try scratch.initialize()
  }

  private func status(days: Int64 = 0) throws -> RepositoryStatus {
    try RepositoryStatus(
      of: try Repository(opening: scratch.repository), now: TestRepository.now + days * Self.day)
  }

  /// Signs a list of that many releases on that day after the first one; their catalogs are not there.
  private func publish(_ count: UInt64, day: Int64, rollout: UInt64 = 100) throws {
    var session = try scratch.session(now: TestRepository.now + day * Self.day)
    let releases = (1...count).map {
      ServedRelease(
        Release(number: $0, label: "r\($0)"), catalog: CatalogReference(digest: Digest(), size: 1),
        rollout: rollout)
    }
    #expect(try session.publish(releases) == .published)
  }

  /// The days on which releases were published, by their numbers.
  private func published() throws -> [UInt64: Int64] {
    try status().published.mapValues { ($0 - TestRepository.now) / Self.day }
  }

  @Test("a release was published when the first list with it was signed, whatever was signed afterwards")
  func dates() throws {
    #expect(try status().published.isEmpty)
    try publish(1, day: 1, rollout: 5)
    try publish(1, day: 2)
    try publish(3, day: 4)
    try publish(3, day: 7, rollout: 0)
    try publish(4, day: 9)
    #expect(try published() == [1: 1, 2: 4, 3: 4, 4: 9])
  }

  @Test(
    "where an old list is missing or damaged, the dates that it would tell are not known",
    arguments: [
      ("2", [2: 4, 3: 4, 4: 9]), ("4", [1: 1, 4: 9]), ("5", [1: 1, 2: 4]),
      ("1 2 3 4", [4: 9]),
    ] as [(String, [UInt64: Int64])])
  func missingLists(versions: String, known: [UInt64: Int64]) throws {
    for (count, day) in [(1, 1), (1, 2), (3, 4), (3, 7), (4, 9)] as [(UInt64, Int64)] {
      try publish(count, day: day)
    }
    for version in versions.split(separator: " ") {
      let name = "metadata/\(version).targets.json"
      try Directory(opening: scratch.repository).remove(name)
      if version == "5" { try scratch.write(name, Array("{\"signed\":".utf8), in: "repository") }
    }
    #expect(try published() == known)
  }

  @Test(
    "metadata is due within 30 days or half of its validity, and expired from its last second on",
    arguments: [
      (0, [.valid, .valid, .valid, .valid]), (8, [.valid, .due, .valid, .valid]),
      (14, [.valid, .expired, .valid, .valid]), (336, [.due, .expired, .due, .due]),
      (365, [.expired, .expired, .expired, .expired]),
    ] as [(Int64, [RoleStatus.State])])
  func states(days: Int64, states: [RoleStatus.State]) throws {
    let roles = try status(days: days).roles
    #expect(roles.map(\.state) == states)
    #expect(roles.map(\.role) == [.root, .timestamp, .snapshot, .targets])
    #expect(roles.map(\.days) == [365, 14, 365, 365].map { max(0, $0 - days) })
    #expect(roles.allSatisfy { $0.keys == 1 && $0.spareKeys == 0 && !$0.isUnfinished })
  }

  @Test("what waits for signatures is listed with what it lacks and what it would change")
  func waiting() throws {
    let other = try TestRepository()
    try other.useOwnKeys()
    other.setup[.targets] = RepositorySetup.Quorum(2, of: 2)
    try other.initialize()
    let key = try #require(try names(other.store.path).first { $0.hasPrefix("targets-") })
    try Directory(opening: other.path).rename("own.keys/\(key)", to: key)
    let catalog = CatalogReference(digest: Digest(), size: 1)
    let release = ServedRelease(Release(number: 1, label: "1"), catalog: catalog, rollout: 20)
    do {
      var session = try other.session()
      _ = try session.publish([release])
    }
    let status = try RepositoryStatus(of: try Repository(opening: other.repository), now: TestRepository.now)
    let lacking = MissingSignatures(file: "2.targets.json", role: .targets, found: 1, threshold: 2)
    #expect(status.waiting.map(\.missing) == [lacking])
    #expect(status.waiting.map(\.changes) == [[.new(release)]])
    #expect(status.served.releases.isEmpty)
  }

  // MARK: - The last push

  @Test(
    "a record of a push that is none is named, and nothing else is lost by it",
    arguments: [
      "echo '{\"format\":1}' >\"$0\"", "echo x >\"$0\"", ": >\"$0\"", "mkdir \"$0\"", "mkfifo \"$0\"",
      "ln -s /dev/zero \"$0\"", "head -c 70000 /dev/zero >\"$0\"",
      "echo '{\"format\":2,\"destination\":\"x\",\"time\":\"2024-01-01T00:00:00Z\",\"timestamp\":1}' >\"$0\"",
      "echo '{\"format\":1,\"destination\":\"x\",\"time\":\"yesterday\",\"timestamp\":1}' >\"$0\"",
    ])
  func damagedRecord(command: String) throws {
    let path = "\(scratch.repository)/.pushed"
    #expect(try ChildProcess.run("sh", ["-c", command, path]).status == 0)
    #expect(try status().push == .damaged(path: path))
  }

  @Test("a push leaves a record, and the next one replaces it, also where something else has its name")
  func record() throws {
    #expect(try status().push == .unknown)
    let repository = try Repository(opening: scratch.repository)
    let place = Destination(":s3,secret_access_key=secret:maps")
    let report = Push.Report(release: nil, timestamp: 1, files: 4, size: 1, copied: 4)
    let record = PushRecord(report, to: place, now: TestRepository.now)
    for _ in 1...2 {
      try record.write(to: repository)
      #expect(try status().push == .known(record))
      let text = String(decoding: try scratch.served(".pushed"), as: UTF8.self)
      #expect(!text.contains("=secret:"), "\(text)")
      let taken = "rm \"$0\" && mkdir -p \"$0/x\""
      #expect(try ChildProcess.run("sh", ["-c", taken, "\(scratch.repository)/.pushed"]).status == 0)
    }
    #expect(try names(scratch.repository).allSatisfy { !$0.hasSuffix(".new") })
  }
}
