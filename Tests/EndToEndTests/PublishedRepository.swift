import Foundation
import Platform
import TestSupport
import Testing
import TrustTestSupport

/// A repository made by `tinypublish`, and what a device must have after each of its releases.
struct PublishedRepository {
  let path: String
  /// The directory of the publisher's keys; a copy has those of the original.
  let keys: String
  var url: String { "file://\(path)" }
  /// The file that a device begins to trust with.
  var root: String { "\(path)/metadata/1.root.json" }
  var passphraseFile: String { "\(keys).passphrase" }

  init(path: String, keys: String? = nil) {
    self.path = path
    self.keys = keys ?? "\(path).keys"
  }

  /// Adds a release made of the files in `input`, which may lack that many components of the one before.
  func publish(
    _ input: String, label: String, allowingRemoved removed: Int = 0, options: String...,
    words more: [String] = []
  ) throws {
    if !Checkout.isFile(root) { try make() }
    let words = ["release", path, input, "--label", label, "--quiet", "--allow-removed", "\(removed)"]
    try tinypublish(words + options + more)
    // The state at this release, to serve it again.
    let states = try names("\(path).states")
    try Programs.run("cp", "\(path)/metadata/timestamp.json", "\(path).states/\(states.count + 1)")
  }

  /// Makes it, without a release, with keys that all such repositories of the tests share.
  func make() throws {
    let blank = try PublishedRepository.blank.get()
    try Programs.run("mkdir", "-p", "\(path).states")
    for (from, to) in [
      (blank.path, path), (blank.keys, keys), (blank.passphraseFile, passphraseFile),
    ] {
      try Programs.run("cp", "-aT", from, to)
    }
  }

  private static let passphrase = "correct horse"

  /// A repository without a release.
  ///
  /// Its keys are encrypted, but not in a way that takes long to guess, so that they are read at once.
  private static let blank = Result {
    let path = "\(Scratch.base)/tinyupdater-blank-\(getpid())"
    try Programs.run("mkdir", "-p", path)
    atexit { _ = try? Programs.run("rm", "-rf", "\(Scratch.base)/tinyupdater-blank-\(getpid())") }
    let repository = PublishedRepository(path: "\(path)/repository")
    try repository.makeWithOwnKeys()
    guard try QuickKeys.encrypt(in: repository.keys, passphrase: passphrase) else {
      throw Unmet("the keys in \(repository.keys) could not be encrypted")
    }
    return repository
  }

  /// Makes it, without a release, with keys of its own.
  func makeWithOwnKeys(_ options: String...) throws {
    try Programs.run("mkdir", "-p", "\(path).states")
    let file = try File(opening: passphraseFile, to: .replace)
    try file.write(PublishedRepository.passphrase + "\n")
    try file.close()
    try Programs.run("chmod", "600", passphraseFile)
    try tinypublish(["init", path] + options)
  }

  @discardableResult
  func tinypublish(_ arguments: String...) throws -> String { try tinypublish(arguments) }

  @discardableResult
  func tinypublish(_ arguments: [String]) throws -> String {
    let words = arguments + ["--keys", keys, "--passphrase-file", passphraseFile]
    let outcome = try ChildProcess.run(try Programs.tinypublish(), words, timeout: 1200)
    guard outcome.status == 0 else { throw Unmet("tinypublish \(arguments) failed: \(outcome.error)") }
    return outcome.output
  }

  /// A copy that serves what was served at `release`; its files are hard links until they are replaced.
  func copy(to destination: String, upTo release: Int? = nil) throws -> PublishedRepository {
    // Links do not go from one file system to another.
    try Programs.run(
      "sh", "-c", "{ cp -al \"$0\" \"$1\" 2>/dev/null || cp -aT \"$0\" \"$1\"; } && rm -rf \"$1/.locks\"",
      path,
      destination)
    let copy = PublishedRepository(path: destination, keys: keys)
    if let release { try copy.replace("metadata/timestamp.json", try contents("\(path).states/\(release)")) }
    return copy
  }

  /// Puts other bytes in the place of a file; other hard links to it keep theirs.
  func replace(_ name: String, _ bytes: [UInt8]) throws {
    let root = try Directory(opening: path)
    try root.remove(name)
    let file = try root.open(name, to: .replace)
    try file.write(bytes.span.bytes)
    try file.close()
  }

  func edit(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try contents("\(path)/\(name)")
    change(&bytes)
    try replace(name, bytes)
  }

  /// Adds a release whose catalog is the newest one with some of its lines changed.
  func addRelease(_ number: Int, editing change: (inout [String]) throws -> Void) throws {
    let newest = try #require(
      try names("\(path)/catalogs").max { try Self.release($0) < Self.release($1) })
    let unpacked = try ChildProcess.run("xz", ["-dc", "\(path)/catalogs/\(newest)"])
    var lines = unpacked.output.split(separator: "\n").map(String.init)
    try change(&lines)
    lines[1] = "<catalog version=\"1\" release=\"\(number)\" label=\"edited\">"
    try replace("catalogs/edited", Array(lines.joined(separator: "\n").utf8))
    try Programs.run("xz", "-T1", "--lzma2=dict=1MiB", "\(path)/catalogs/edited")
    let bytes = try contents("\(path)/catalogs/edited.xz")
    let digest = try digest(of: bytes)
    try replace("catalogs/\(digest).\(number).update.xz", bytes)
    try signTargets { targets in
      targets[["targets", "catalogs/\(number).update.xz"]] = [
        "length": .number(bytes.count), "hashes": ["sha256": .text(digest)],
        "custom": ["release": .number(number), "label": "edited"],
      ]
    }
  }

  /// The number in a catalog's name, `DIGEST.NUMBER.update.xz`.
  private static func release(_ catalog: String) throws -> Int {
    try #require(Int(catalog.split(separator: ".")[1]))
  }

  /// The digests that the components made of `files` must have, by their installed names, if the repository has them.
  func expected(of files: [String: [UInt8]]) throws -> [String: String] {
    var expected: [String: String] = [:]
    for (path, data) in files {
      let digest = try digest(of: data)
      #expect(Checkout.isFile("\(self.path)/components/\(digest).dat"), "\(path)")
      expected[path] = digest
    }
    return expected
  }
}
