import Crypto
import JSONReading
import Platform
import Store
import TestSupport
import Testing
import Transport
import Trust
import TrustTestSupport
import Updater

@testable import TUFClient

/// 5.7 of the specification: fetching a target; `tuf-client`.
@Suite("Bare client")
struct BareClientTests {
  private let scratch: Scratch
  private let repository: SignedRepository

  init() throws {
    scratch = try Scratch("bare")
    repository = try SignedRepository()
  }

  /// Serves what the repository has, and `files` as targets.
  private func publish(_ files: [String: String]) throws {
    for (path, text) in files { try repository.add(path, text) }
    try repository.publish()
    for (name, bytes) in repository.files { try scratch.write("metadata/\(name)", bytes) }
    for (path, text) in files {
      let name = try digest(of: Array(text.utf8)) + "." + (path.split(separator: "/").last ?? "")
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      try scratch.write("targets/\(folder)/\(name)", text)
    }
    if try !scratch.exists("md/root.json") {
      try scratch.write("root.json", repository.files["1.root.json"] ?? [])
      try BareClient.initialize("\(scratch.path)/md", root: "\(scratch.path)/root.json")
    }
  }

  private func download(_ paths: String...) throws(Failure) -> [String] {
    var client = try BareClient(
      "file://\(scratch.path)/metadata", directory: "\(scratch.path)/md", now: SignedRepository.now)
    let snapshot = try client.refresh()
    var names: [String] = []
    for path in paths {
      names.append(
        try client.download(
          Name(path), in: snapshot, from: "file://\(scratch.path)/targets/", to: "\(scratch.path)/td"))
    }
    return names
  }

  @Test(
    "each target has one name, whatever its path is, and lies nowhere else",
    arguments: ["a", "x/y.z", "a b", "é"])
  func names(path: String) throws {
    try publish([path: "text"])
    let names = try download(path)
    #expect(names == [Name(path).percentEncoded])
    #expect(try scratch.names("td") == names)
    #expect(try scratch.read("td/\(names[0])") == Array("text".utf8))
    #expect(try scratch.names() == ["md", "metadata", "root.json", "targets", "td"])
  }

  @Test(
    "P8: a path that would lead out of the directory stays in it", arguments: ["../../x", "/x", "..", "."])
  func hostileNames(path: String) throws {
    try repository.add(path, "text")
    try repository.publish()
    try publish([:])
    // The server has no such file; what counts is where it would have been written.
    #expect(throws: Failure.self) { _ = try download(path) }
    #expect(try scratch.names() == ["md", "metadata", "root.json", "td"])
    #expect(try scratch.names("td") == [])
  }

  @Test("a name that is too long for a file system is its digest")
  func longName() throws {
    let path = String(repeating: "long/", count: 60) + "x"
    try publish([path: "text"])
    let digest = try Hasher.digest(of: Array(path.utf8).span.bytes).hex
    #expect(try download(path) == ["=" + digest])
  }

  @Test("a target that is right already is left untouched, and one that is not is fetched again")
  func untouched() throws {
    try publish(["a": "text"])
    _ = try download("a")
    // Without the server's file only the one that is there can serve.
    try scratch.write("targets/\(try digest(of: Array("text".utf8))).a", "TEXT")
    #expect(try download("a") == ["a"])
    try scratch.write("td/a", "tex")
    #expect(throws: Failure.self) { _ = try download("a") }
    #expect(try scratch.read("td/a") == Array("tex".utf8))
  }

  @Test(
    "arbitrary software: a target with other bytes is refused, and nothing is left of it",
    arguments: ["TEXT", "tex", "text2", ""])
  func wrongBytes(found: String) throws {
    try publish(["a": "text"])
    try scratch.write("targets/\(try digest(of: Array("text".utf8))).a", found)
    #expect {
      _ = try download("a")
    } throws: { error in
      switch error as? Failure {
      case .wrongDigest, .wrongSize: true
      default: false
      }
    }
    #expect(try scratch.names("td") == [])
  }

  @Test("a target of which only digests of unknown algorithms are listed is refused")
  func unknownHash() throws {
    repository.targets[["targets", "a"]] = ["length": 4, "hashes": ["md5": "00"]]
    try repository.publish()
    try publish([:])
    try scratch.write("targets/a", "text")
    #expect(throws: Failure.self) { _ = try download("a") }
    #expect(try scratch.names("td") == [])
  }

  @Test("every listed digest counts, SHA-512 too")
  func everyHash() throws {
    try publish(["a": "text"])
    repository.targets[["targets", "a", "hashes", "sha512"]] = .text(String(repeating: "0", count: 128))
    repository.bump("targets", "snapshot", "timestamp")
    try repository.publish()
    for (name, bytes) in repository.files { try scratch.write("metadata/\(name)", bytes) }
    #expect(throws: Failure.self) { _ = try download("a") }
    #expect(try scratch.names("td") == [])
  }

  @Test("a file that is not a root, or a root that nobody signed, is refused")
  func badRoot() throws {
    try scratch.write("root.json", "{}")
    let path = "\(scratch.path)/root.json"
    #expect(throws: Failure.self) { try BareClient.initialize("\(scratch.path)/md", root: path) }
    try scratch.write("root.json", [UInt8](repeating: 32, count: 600_000))
    #expect(throws: Failure.self) { try BareClient.initialize("\(scratch.path)/md", root: path) }
    #expect(try !scratch.exists("md/root.json"))
  }
}
