import Foundation
import Platform
import TestSupport
import Testing
import TrustTestSupport

extension EndToEnd {
  /// Round trips with python-tuf, the reference implementation of The Update Framework.
  @Suite("python-tuf")
  struct PythonTUFTests {
    private let scratch: Scratch
    private static let folder = "\(Checkout.root)/Tests/EndToEndTests/python-tuf"
    /// Installed once.
    private static let python = Result {
      try Programs.run("\(Checkout.root)/scripts/python-tuf", timeout: 600).split(separator: "\n").last.map(
        String.init)
        ?? ""
    }

    init() throws { scratch = try Scratch("python-tuf") }

    private func python(_ script: String, _ arguments: String...) throws -> String {
      let words = ["\(Self.folder)/\(script)"] + arguments
      let outcome = try ChildProcess.run(try Self.python.get(), words, timeout: 60)
      guard outcome.status == 0 else { throw Unmet("\(script) failed: \(outcome.error)") }
      return outcome.output
    }

    @Test(
      "the reference client accepts a repository of tinypublish from its first root, after every rotation"
    )
    func ourRepository() throws {
      let repository = PublishedRepository(path: "\(scratch.path)/repository")
      try repository.makeWithOwnKeys("--root", "2/2", "--key-type", "ecdsa")
      try scratch.write("maps/europe/malta/base.bin", "a map")
      try repository.publish("\(scratch.path)/maps", label: "first")
      for role in ["timestamp", "snapshot", "targets", "root"] {
        let key = try #require(
          repository.signed("\(try newestRoot(repository)).root.json")[["roles", role, "keyids"]]?.elements
            .first)
        guard case .text(let id) = key else { throw Unmet("no key of \(role)") }
        try repository.tinypublish("key", "rotate", repository.path, role, id)
      }
      try scratch.write("maps/europe/malta/base.bin", "another map")
      try repository.publish("\(scratch.path)/maps", label: "second")

      let server = try WebServer(repository.path)
      let output = try python(
        "client.py", repository.root, "\(server.url)/metadata/", "\(server.url)/", "\(scratch.path)/client",
        "catalogs/1.update.xz", "catalogs/2.update.xz")
      #expect(output.contains("root 5\n"), "\(output)")
      for catalog in try names("\(repository.path)/catalogs") {
        let digest = String(catalog.prefix(64))
        #expect(try digest == TestSupport.digest("\(repository.path)/catalogs/\(catalog)"))
        #expect(output.contains(" \(digest)\n"))
      }
    }

    private func newestRoot(_ repository: PublishedRepository) throws -> Int {
      try names("\(repository.path)/metadata").filter { $0.hasSuffix(".root.json") }.count
    }

    @Test(
      "our client accepts a repository of the reference implementation, with all kinds of keys and delegations"
    )
    func theirRepository() throws {
      let repository = "\(scratch.path)/theirs"
      _ = try python("repository.py", repository)
      let server = try WebServer(repository)
      let program = try Programs.tufClient()
      let store = ["--metadata-dir", "\(scratch.path)/md"]
      let trust = try ChildProcess.run(program, store + ["init", "\(repository)/metadata/1.root.json"])
      #expect(trust.status == 0, "\(trust)")
      let online = store + ["--metadata-url", "\(server.url)/metadata"]
      let refresh = try ChildProcess.run(program, online + ["refresh"])
      #expect(refresh.status == 0, "\(refresh)")
      #expect(
        try names("\(scratch.path)/md") == ["root.json", "snapshot.json", "targets.json", "timestamp.json"])
      #expect(
        try digest("\(scratch.path)/md/root.json") == digest("\(repository)/metadata/2.root.json"))

      let wanted = ["top-level.txt", "maps/europe/malta.map", "anything/else"]
      let download = try ChildProcess.run(
        program,
        online + wanted.flatMap { ["--target-name", $0] }
          + ["--target-dir", "\(scratch.path)/td", "--target-base-url", "\(server.url)/targets", "download"])
      #expect(download.status == 0, "\(download)")
      let contents = try names("\(scratch.path)/td").map {
        String(decoding: try TestSupport.contents("\(scratch.path)/td/\($0)"), as: UTF8.self)
      }
      #expect(
        Set(contents) == ["of the top-level role", "of a delegated role", "of a role by digest"])
      #expect(try names("\(scratch.path)/md").contains("maps%3A%C3%A4.json"))

      let before = try server.log().count
      let again = try ChildProcess.run(
        program,
        online + ["--target-name", wanted[1], "--target-dir", "\(scratch.path)/td"]
          + ["--target-base-url", "\(server.url)/targets/", "download"])
      #expect(again.status == 0)
      // What is right already is not asked for.
      #expect(
        try server.finish().dropFirst(before).map(\.path) == [
          "metadata/3.root.json", "metadata/timestamp.json",
        ])
      let expired = try ChildProcess.run(program, online + ["--time", "4000000000", "refresh"])
      #expect(expired.status == 1)
      let unknown = try ChildProcess.run(
        program,
        online + ["--target-name", "nothing", "--target-dir", "x", "--target-base-url", "x", "download"])
      #expect(unknown.status == 1)
    }
  }
}
