import Crypto
import TestSupport
import Testing
import TrustTestSupport

@testable import Trust

/// Every prefix and every flipped byte of every file of a repository.
@Suite("Hostile metadata")
struct HostileBytesTests {
  /// A repository that a device at its first state has to fetch every file of.
  private static func repository() throws -> SignedRepository {
    let repository = try SignedRepository()
    try repository.rotateRoot { try repository.setKeys([SigningKey(.ecdsaP256)], for: "timestamp") }
    try repository.delegate("a")
    try repository.add("f", to: "a")
    repository.bump("targets", "snapshot", "timestamp")
    try repository.publish()
    return repository
  }

  /// Runs against `bytes` in the place of `file`; true if it was refused and nothing of it was stored.
  private func isRefused(
    _ bytes: [UInt8], as file: String, in repository: SignedRepository, by device: TrustingDevice
  ) throws -> Bool {
    let good = repository.files[file]
    defer { repository.files[file] = good }
    repository.files[file] = bytes
    for name in try device.scratch.names() where name.hasSuffix(".json") && name != "root.json" {
      try device.scratch.write(name, "")
    }
    try device.scratch.write("root.json", repository.files["1.root.json"] ?? [])
    do throws(TrustError) {
      _ = try device.target("f")
      return false
    } catch {
      switch error {
      case .notFetched: return true  // exit 20
      case .file, .busy, .cancelled, .noRoot, .overMemory: return false
      default: break  // exit 21
      }
      return try device.stored().values.allSatisfy { $0 != bytes || bytes.isEmpty }
    }
  }

  @Test(
    "every prefix and every flipped byte is refused, without a crash, and not stored",
    arguments: ["2.root.json", "timestamp.json", "2.snapshot.json", "2.targets.json", "1.a.json"])
  func mutations(_ file: String) throws {
    let repository = try Self.repository()
    let device = try TrustingDevice(repository)
    _ = try device.target("f")
    let good = try #require(repository.files[file])
    for count in 0..<good.count {
      #expect(
        try isRefused(Array(good[..<count]), as: file, in: repository, by: device),
        "\(count) bytes of \(file)")
    }
    for index in good.indices {
      var bad = good
      bad[index] ^= 1 << UInt8(index % 8)
      let isRefused = try isRefused(bad, as: file, in: repository, by: device)
      // Flipping case in the hexadecimal digits of a signature changes nothing that counts, where no digest
      // of the file is listed.
      let isHarmless = !isRefused && isSameBut(for: index, good, bad)
      #expect(isRefused || isHarmless, "byte \(index) of \(file)")
    }
  }

  /// The two differ only in the case of a letter among the digits of a signature.
  private func isSameBut(for index: Int, _ good: [UInt8], _ bad: [UInt8]) -> Bool {
    good[index] ^ bad[index] == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(good[index])
  }

  @Test("a megabyte of brackets, of keys or of digits is refused within the memory that metadata may take")
  func bombs() throws {
    let repository = try SignedRepository()
    let device = try TrustingDevice(repository)
    for unit in ["[", "{\"a\":", "[],", "\"\\u", "9", "-", "\\", "{\"signed\":{"] {
      repository.files["2.root.json"] = Array(String(repeating: unit, count: 500_000 / unit.utf8.count).utf8)
      #expect(throws: TrustError.self) { try device.refresh() }
    }
  }

  @Test("what is accepted in one file never keeps its successor out")
  func successorOfALargeFile() throws {
    let repository = try SignedRepository()
    let device = try TrustingDevice(repository)
    for version in 1...3 {
      for index in 0..<3000 {
        repository.snapshot[["meta", "role\(index).json"]] = ["version": .number(version)]
      }
      repository.bump("snapshot", "timestamp")
      try repository.publishSnapshot()
      try device.refresh()
    }
  }

  @Test("a search holds few keys of the roles that wait, however many match")
  func manyAuthorities() throws {
    let repository = try SignedRepository()
    let device = try TrustingDevice(repository)
    let ids = JSONTree.array((0..<100).map { .text("k\($0)") })
    repository.targets["delegations"] = [
      "keys": [:],
      "roles": .array(
        (0..<200).map {
          ["name": .text("r\($0)"), "keyids": ids, "threshold": 1, "terminating": false, "paths": ["*"]]
        }),
    ]
    try repository.publish()
    #expect(throws: TrustError.overMemory(file: "targets.json")) { _ = try device.target("f") }
  }
}
