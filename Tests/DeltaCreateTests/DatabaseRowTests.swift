import DeltaTestSupport
import Platform
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Rows of databases")
struct DatabaseRowTests {
  /// Writes databases of the same rows with names, an index and an R-tree.
  ///
  /// In the second one, all row ids are larger; in the third, rows are missing, and the others were written anew.
  private static let program = #"""
    import random, sqlite3, sys
    random.seed(7)
    words = [bytes(random.randrange(97, 123) for _ in range(3 + n % 9)).decode() for n in range(50)]
    def write(name, first, missing):
        random.seed(1)
        db = sqlite3.connect(f"{sys.argv[1]}/{name}")
        db.execute("pragma page_size = 1024")
        db.execute("create table t (id integer primary key, name text, x integer)")
        db.execute("create index i on t (name)")
        db.execute("create virtual table r using rtree(id, west, east, south, north)")
        row = first
        for number in range(4000):
            name = random.choice(words)
            x, y = random.random(), random.random()
            if random.random() < missing: continue
            db.execute("insert into t values (?, ?, ?)", (row, name, number % 100))
            db.execute("insert into r values (?, ?, ?, ?, ?)", (row, x, x, y, y))
            row += 1
        db.commit()
        db.close()
    write("first.db", 20000, 0)
    write("later.db", 26000, 0)
    write("fewer.db", 20000, 0.01)
    """#

  private static let files: Result<[String: [UInt8]], any Error> = Result {
    let folder = try Scratch("rows")
    try folder.write("make.py", program)
    let outcome = try ChildProcess.run("python3", ["\(folder.path)/make.py", folder.path])
    try #require(outcome.status == 0, "python3 and sqlite3: \(outcome.error)")
    var files: [String: [UInt8]] = [:]
    for name in ["first.db", "later.db", "fewer.db"] { files[name] = try folder.read(name) }
    return files
  }

  static func file(_ name: String) throws -> [UInt8] { try #require(try files.get()[name]) }

  private static func withoutReferences(_ file: [UInt8]) throws -> [UInt8] {
    try file.withUnsafeBufferPointer { try #require(SQLiteDatabase($0)).withoutReferences() }
  }

  @Test("without references, databases whose rows have other ids are the same")
  func references() throws {
    let (first, later) = (try Self.file("first.db"), try Self.file("later.db"))
    let differences = zip(first, later).count { $0 != $1 }
    #expect(first.count == later.count && differences > 5000)
    // What is left is in no tree: the pages that say in which node of the R-tree a row is, by its id.
    let left = zip(try Self.withoutReferences(first), try Self.withoutReferences(later)).count { $0 != $1 }
    #expect(left * 10 < differences, "\(left) of \(differences)")
  }

  @Test("what is not a reference stays")
  func kept() throws {
    let file = try Self.file("first.db")
    let masked = try Self.withoutReferences(file)
    #expect(masked.count == file.count)
    for (index, byte) in masked.enumerated() where byte != file[index] { #expect(byte == 0) }
    #expect(zip(file, masked).count { $0 != $1 } < file.count / 4)
  }

  @Test("damaged pages lose no more than references, and nothing is read outside of them")
  func damaged() throws {
    var file = try Self.file("first.db")
    var random = SeededGenerator(1)
    for _ in 0..<20_000 {
      file[.random(in: 100..<file.count, using: &random)] = .random(in: 0...255, using: &random)
    }
    for file in [file, Array(file.dropLast(500))] {
      let masked = try Self.withoutReferences(file)
      #expect(masked.count == file.count)
      for (index, byte) in masked.enumerated() where byte != file[index] { #expect(byte == 0) }
    }
  }

  @Test("a page whose cells lie upon each other stays as it is")
  func overlapping() throws {
    var file = try Self.file("first.db")
    let masked = try Self.withoutReferences(file)
    // A page whose only cell is a node of the R-tree, which has some forty row ids.
    let start = try #require(
      stride(from: 1024, to: file.count, by: 1024).first { start in
        let changed = (start..<start + 1024).count { file[$0] != masked[$0] }
        return file[start] == 0x0d && file[start + 3] == 0 && file[start + 4] == 1 && changed > 40
      })
    let pointer = file[start + 8..<start + 10]
    file[start + 4] = 10
    for cell in 0..<10 { file.replaceSubrange(start + 8 + 2 * cell..<start + 10 + 2 * cell, with: pointer) }
    #expect(try Self.withoutReferences(file)[start..<start + 1024] == file[start..<start + 1024])
  }

  @Test("rows that were written anew make a smaller patch where there is memory to match them")
  func smaller() throws {
    let (old, new) = (try Self.file("first.db"), try Self.file("fewer.db"))
    let plan = SearchBudget.choose(old: old.count, new: new.count, limit: .max)
    #expect(plan.searchesRows)
    let less = plan.memory - 1
    #expect(!SearchBudget.choose(old: old.count, new: new.count, limit: less).searchesRows)
    let with = try PatchMaker().make(old: old.span, new: new.span)
    let without = try PatchMaker().make(old: old.span, new: new.span, memory: less)
    var applier = MemoryApplier(old: old)
    #expect(try applier.apply(with.bytes, expectedHead: with.headDigest) == new)
    #expect(with.bytes.count < without.bytes.count)
  }
}
