import Platform
import Releases
import TestSupport
import Testing
import Trust

@testable import Catalog
@testable import Publisher

@Suite("Repository")
struct RepositoryTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  @Test("an empty repository has its directories and no release")
  func make() throws {
    #expect(try scratch.initialize() == .made)
    #expect(
      try scratch.tree().keys.sorted() == [
        "metadata/1.root.json", "metadata/1.snapshot.json", "metadata/1.targets.json",
        "metadata/timestamp.json",
      ])
    let names = try names(scratch.repository)
    #expect(names == [".locks", "catalogs", "components", "metadata", "payloads"])
    #expect(try Repository(opening: scratch.repository).releases() == [])
  }

  @Test("directories on the way are made")
  func deep() throws {
    #expect(try scratch.initialize("\(scratch.path)/a/b/c/") == .made)
    #expect(try Repository(opening: "\(scratch.path)/a/b/c").releases() == [])
  }

  @Test("a repository stays as it is when it is to be made again")
  func again() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    let tree = try scratch.tree()
    #expect(try scratch.initialize() == .alreadyThere)
    #expect(try scratch.tree() == tree)
  }

  @Test("what an interrupted init leaves is taken up")
  func interrupted() throws {
    try scratch.write("1.root.json", [1], in: "repository/metadata")
    for folder in ["catalogs", "payloads", ".work"] {
      try Directory(opening: scratch.path).makeParents(of: "repository/\(folder)/x")
    }
    #expect(try scratch.initialize() == .made)
  }

  @Test("interrupted between any two files, init can be repeated and makes the same")
  func interruptedAnywhere() throws {
    try scratch.initialize()
    let tree = try scratch.tree()
    let order = ["1.root.json", "1.targets.json", "1.snapshot.json", "timestamp.json"].map {
      "metadata/\($0)"
    }
    #expect(order.sorted() == tree.keys.sorted())
    for count in 0...order.count {
      let partial = try TestRepository()
      for name in order.prefix(count) { try partial.write(name, tree[name] ?? [], in: "repository") }
      #expect(try partial.initialize() == (count == order.count ? .alreadyThere : .made))
      #expect(try partial.tree() == tree)
    }
  }

  @Test("a directory with files in it does not become a repository")
  func notEmpty() throws {
    try scratch.write("holiday.jpg", [1])
    #expect(throws: PublisherError.repository(.notEmpty(path: scratch.input))) {
      try scratch.initialize(scratch.input)
    }
    #expect(try names(scratch.input) == ["holiday.jpg"])
  }

  @Test("a directory without a timestamp.json is not a repository, and a missing directory is not one either")
  func notARepository() {
    for path in [scratch.input, "\(scratch.path)/none"] {
      #expect(throws: PublisherError.repository(.notARepository(path: path))) {
        try Repository(opening: path)
      }
    }
  }

  @Test("a second publisher is turned away")
  func busy() async throws {
    try Maps.write(to: scratch)
    try scratch.initialize()
    let lock = try RepositoryLock(.metadata, of: Directory(opening: scratch.repository))
    #expect(await scratch.refusal() == .repository(.busy(path: scratch.repository)))
    #expect(throws: PublisherError.repository(.busy(path: scratch.repository))) {
      try scratch.initialize()
    }
    _ = consume lock
    // Another release, or a pruning, has the payloads.
    let payloads = try RepositoryLock(.payloads, of: Directory(opening: scratch.repository))
    #expect(await scratch.refusal() == .repository(.busy(path: scratch.repository)))
    _ = consume payloads
    #expect(await scratch.refusal() == nil)
  }

  @Test("a damaged repository is not built upon")
  func damaged() async throws {
    try Maps.write(to: scratch)
    let report = try await scratch.release("1")
    for (name, bytes) in try scratch.tree() where name.hasPrefix("metadata/") {
      // Only those count that the timestamp leads to.
      if name.hasPrefix("metadata/1.") && name != "metadata/1.root.json" { continue }
      var changed = bytes
      changed[bytes.count / 2] ^= 1
      for damage in [Array(bytes.dropLast(4)), changed, []] {
        try scratch.write(name, damage, in: "repository")
        guard case .repository(.metadata(let error)) = await scratch.refusal() else {
          Issue.record("\(name) was not refused")
          return
        }
        #expect(error.sentence.contains("\(scratch.repository)/\(name)"), "\(error.sentence)")
      }
      try scratch.write(name, bytes, in: "repository")
    }
    for name in ["metadata/2.targets.json", "metadata/2.snapshot.json", "metadata/1.root.json"] {
      let bytes = try scratch.served(name)
      try Directory(opening: scratch.repository).remove(name)
      #expect(
        await scratch.refusal() == .repository(.metadata(.missing(file: "\(scratch.repository)/\(name)"))))
      try scratch.write(name, bytes, in: "repository")
    }

    var catalog = try scratch.served(report.catalog.catalogURL)
    catalog[catalog.count / 2] ^= 1
    try scratch.write(report.catalog.catalogURL, catalog, in: "repository")
    let damaged = "\(scratch.repository)/\(report.catalog.catalogURL)"
    #expect(await scratch.refusal() == .repository(.wrongDigest(path: damaged)))
    try Directory(opening: scratch.repository).remove(report.catalog.catalogURL)
    #expect(await scratch.refusal() == .repository(.catalog(.file(Failure(.noEntry, path: damaged)))))
  }
}
