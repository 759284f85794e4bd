import Platform
import TestSupport
import Testing

@testable import Catalog
@testable import Publisher

@Suite("Tiles")
struct TilesTests {
  /// Writes a database of ten tiles packed with gzip, each over several pages; some words of it depend on the edition.
  private static let program = #"""
    import gzip, random, sqlite3, sys
    random.seed(1)
    words = [bytes(random.randrange(40, 90) for _ in range(random.randrange(3, 9))) for _ in range(3000)]
    tiles = [[random.choice(words) for _ in range(4000)] for _ in range(10)]
    db = sqlite3.connect(sys.argv[1])
    db.execute("create table tiles (zoom_level integer, tile_data blob)")
    for number, tile in enumerate(tiles):
        tile[100 * number] = b"edition " + sys.argv[2].encode()
        db.execute("insert into tiles values (?, ?)", (number, gzip.compress(b" ".join(tile), 6, mtime=0)))
    db.commit()
    """#

  @Test("a release sees through the tiles of a database: what changed in them is a small patch")
  func tiles() async throws {
    let scratch = try TestRepository()
    try scratch.write("make.py", Array(Self.program.utf8), in: ".")
    var reports: [ReleaseReport] = []
    for edition in ["first", "second"] {
      let outcome = try ChildProcess.run(
        "python3", ["\(scratch.path)/make.py", "\(scratch.path)/\(edition)", edition])
      try #require(outcome.status == 0, "\(outcome.error)")
      let database = try onFile { () throws(Failure) in
        try MappedFile(try File(opening: "\(scratch.path)/\(edition)"))
      }
      try scratch.write("europe/malta/render.mbtiles", Array(database.bytes))
      reports.append(try await scratch.release(edition))
    }
    let render = try component(reports[1], id: "europe/malta/render")
    let full = try #require(reports[0].components.first).entry.size
    #expect(full > 100_000)
    let patch = try #require(render.patch)
    #expect(patch.size < full / 50)
    // The tiles are nearly all of the database.
    #expect((full * 4 / 5..<full).contains(patch.recompressed))
    // Nothing but the payload itself says so after an interruption.
    #expect(try Container.read("\(scratch.repository)/\(patch.url)") == patch)
  }
}
