import Platform
import Testing

@testable import Catalog
@testable import Publisher

@Suite("Repository")
struct RepositoryTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test("an empty repository has its directories and no release")
  func make() throws {
    #expect(try Repository.initialize(scratch.repository) == .made)
    #expect(try scratch.tree().keys.sorted() == ["releases.xml"])
    let names = try scratch.names(in: Directory(opening: scratch.repository))
    #expect(names == ["catalogs", "components", "payloads", "releases.xml"])
    #expect(try Repository(opening: scratch.repository).releases() == [])
  }

  @Test("directories on the way are made")
  func deep() throws {
    #expect(try Repository.initialize("\(scratch.path)/a/b/c/") == .made)
    #expect(try Repository(opening: "\(scratch.path)/a/b/c").releases() == [])
  }

  @Test("a repository stays as it is when it is to be made again")
  func again() async throws {
    try Maps.write(to: scratch)
    try await scratch.release("1")
    let tree = try scratch.tree()
    #expect(try Repository.initialize(scratch.repository) == .alreadyThere)
    #expect(try scratch.tree() == tree)
  }

  @Test("what an interrupted init leaves is taken up")
  func interrupted() throws {
    for folder in ["catalogs", "payloads", ".work"] {
      try Directory(opening: scratch.path).makeParents(of: "repository/\(folder)/x")
    }
    #expect(try Repository.initialize(scratch.repository) == .made)
  }

  @Test("a directory with files in it does not become a repository")
  func notEmpty() throws {
    try scratch.write("holiday.jpg", [1])
    #expect(throws: PublisherError.notEmpty(path: scratch.input)) { try Repository.initialize(scratch.input) }
    #expect(try scratch.names(in: Directory(opening: scratch.input)) == ["holiday.jpg"])
  }

  @Test("a directory without releases.xml is no repository, and neither is none")
  func notARepository() {
    for path in [scratch.input, "\(scratch.path)/none"] {
      #expect(throws: PublisherError.notARepository(path: path)) { try Repository(opening: path) }
    }
  }

  @Test("a second publisher is turned away")
  func busy() async throws {
    try Maps.write(to: scratch)
    _ = try Repository.initialize(scratch.repository)
    let lock = try Repository(opening: scratch.repository).locked()
    #expect(await scratch.refusal() == .busy(path: scratch.repository))
    #expect(throws: PublisherError.busy(path: scratch.repository)) {
      try Repository.initialize(scratch.repository)
    }
    _ = consume lock
    #expect(await scratch.refusal() == nil)
  }

  @Test("a damaged repository is not built upon")
  func damaged() async throws {
    try Maps.write(to: scratch)
    let report = try await scratch.release("1")
    let releases = try scratch.served("releases.xml")
    try scratch.write("releases.xml", Array(releases.dropLast(4)), in: "repository")
    let path = "\(scratch.repository)/releases.xml"
    #expect(await scratch.refusal() == .damaged(.malformed(path: path, line: 4, .truncated)))
    try scratch.write("releases.xml", releases, in: "repository")

    var catalog = try scratch.served(report.catalog.url)
    catalog[catalog.count / 2] ^= 1
    try scratch.write(report.catalog.url, catalog, in: "repository")
    let damaged = "\(scratch.repository)/\(report.catalog.url)"
    #expect(await scratch.refusal() == .wrongDigest(path: damaged))
    try Directory(opening: scratch.repository).remove(report.catalog.url)
    #expect(await scratch.refusal() == .damaged(.file(FileError(.noEntry, damaged))))
  }
}
