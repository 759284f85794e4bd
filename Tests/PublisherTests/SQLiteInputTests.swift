import Catalog
import MapModel
import Platform
import TestSupport
import Testing

@testable import Publisher

/// Databases that a program may be writing.
@Suite("SQLite databases in the input")
struct SQLiteInputTests {
  private let scratch: TestRepository

  init() throws { scratch = try TestRepository() }

  private func scan() throws(PublisherError) -> InputScanner.Found {
    try InputScanner.scan(InputSource(directory: scratch.input), release: Release(number: 1, label: "1"))
  }

  private func refusal() -> InputError? {
    do throws(PublisherError) { _ = try scan() } catch {
      if case .input(let error) = error { return error }
    }
    return nil
  }

  private var database: String { "\(scratch.input)/a/render.mbtiles" }

  /// Runs lines of Python in which `db` is the database; the process ends without closing it.
  private func python(_ lines: String) throws {
    try Directory(opening: scratch.path).makeParents(of: "input/a/x")
    let outcome = try ChildProcess.run(
      "python3",
      [
        "-c",
        """
        import os, sqlite3, sys
        db = sqlite3.connect(sys.argv[1], isolation_level=None)
        \(lines)
        os._exit(0)
        """, database,
      ])
    try #require(outcome.status == 0, "\(outcome.error)")
  }

  private static let inWAL = """
    db.execute('pragma journal_mode=wal'); db.execute('pragma wal_autocheckpoint=0')
    db.execute('create table tiles(z)'); db.execute('insert into tiles values (1)')
    """

  @Test("changes in a write-ahead log are named, with what to do; afterwards the database is published")
  func log() throws {
    try python(SQLiteInputTests.inWAL)
    #expect(refusal() == .unfinishedDatabase(path: "\(database)-wal", companion: .writeAheadLog))
    try python("db.execute('pragma wal_checkpoint(truncate)')")
    let found = try scan()
    #expect(found.components.map(\.description.name.path) == ["a/render.mbtiles"])
    #expect(found.ignored.map(\.reason).allSatisfy { $0 == .emptyCompanion } && !found.ignored.isEmpty)
  }

  @Test(
    "a database in WAL mode whose log is missing is published with a warning, one in another mode without")
  func mode() throws {
    try python(SQLiteInputTests.inWAL)
    try scratch.write("a/base.x", [1])
    let folder = try Directory(opening: "\(scratch.input)/a")
    for suffix in ["-wal", "-shm"] { try folder.remove("render.mbtiles\(suffix)") }
    #expect(try scan().warnings == [.writeAheadLog(path: database)])
    try python("db.execute('pragma journal_mode=delete')")
    #expect(try scan().warnings == [])
  }

  @Test("a journal that is in use is named; one that SQLite has emptied or cleared is skipped")
  func journal() throws {
    try python("db.execute('create table t(x)'); db.execute('insert into t values (zeroblob(99999))')")
    try python(
      "db.execute('pragma cache_size=1'); db.execute('begin'); db.execute('update t set x = randomblob(99999)')"
    )
    #expect(refusal() == .unfinishedDatabase(path: "\(database)-journal", companion: .journal))
    for mode in ["persist", "truncate"] {
      try python("db.execute('pragma journal_mode=\(mode)'); db.execute('insert into t values (1)')")
      #expect(try names("\(scratch.input)/a").contains("render.mbtiles-journal"))
      #expect(try scan().ignored.map(\.reason) == [.emptyCompanion])
    }
  }

  @Test("a file that only has such a name is published")
  func other() throws {
    try scratch.write("a/render.mbtiles-wal", [1])
    #expect(try scan().components.map(\.description.name.path) == ["a/render.mbtiles-wal"])
  }
}
