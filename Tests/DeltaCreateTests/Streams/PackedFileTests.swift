import Codec
import DeltaApply
import DeltaCreate
import DeltaTestSupport
import PatchFormat
import Platform
import TestSupport
import Testing

/// Files with compressed parts as other programs write them, in two versions, from the publisher to the device.
@Suite("Packed files")
struct PackedFileTests {
  private static let program = #"""
    import gzip, io, random, sqlite3, sys, zipfile, zlib
    folder, kind, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    random.seed(seed)
    words = [bytes(random.randrange(40, 90) for _ in range(random.randrange(2, 12))) for _ in range(300)]

    def text():
        return b"".join(random.choice(words) for _ in range(random.randrange(10, 1200)))

    def pack(content, level, bits):
        coder = zlib.compressobj(level, zlib.DEFLATED, bits, random.choice((8, 8, 9)))
        return coder.compress(content) + coder.flush()

    level, bits = random.choice((1, 6, 9)), random.choice((31, 15))
    parts = {number: text() for number in range(40)}

    def change():
        for number in list(parts):
            what = random.randrange(6)
            content = parts[number]
            cut = random.randrange(len(content))
            if what == 0: parts[number] = content[:cut] + random.choice(words) + content[cut + 2:]
            elif what == 1 and random.random() < 0.3: del parts[number]
            elif what == 2 and random.random() < 0.3: parts[1000 + number] = parts.pop(number)
            elif what == 3: parts[number] = content[cut:] + content[:cut]
        for number in range(random.randrange(4)): parts[2000 + number] = text()

    def sqlite(path, size, more):
        db = sqlite3.connect(path)
        db.execute(f"pragma page_size = {size}")
        db.execute(f"pragma auto_vacuum = {random.choice((0, 0, 1))}")
        db.execute("create table if not exists tiles (zoom_level integer, tile_row integer, tile_data blob)")
        # Rows that are gone leave free pages, which others fill in any order.
        for number, in db.execute("select tile_row from tiles").fetchall():
            if number not in parts: db.execute("delete from tiles where tile_row = ?", (number,))
        for number, content in parts.items():
            row = db.execute("select tile_data from tiles where tile_row = ?", (number,)).fetchone()
            blob = pack(content, level, bits)
            if row is None: db.execute("insert into tiles values (7, ?, ?)", (number, blob))
            elif row[0] != blob: db.execute("update tiles set tile_data = ? where tile_row = ?", (blob, number))
        db.commit()
        db.close()

    def write(name, before):
        path = f"{folder}/{name}"
        if kind.isdigit():
            if before: open(path, "wb").write(open(f"{folder}/{before}", "rb").read())
            sqlite(path, int(kind), before)
        elif kind == "zip":
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
                for number, content in parts.items():
                    archive.writestr(zipfile.ZipInfo(f"a/{number}.bin", (2024, 1, 1 + (before is not None), 0, 0, 0)),
                        content, zipfile.ZIP_DEFLATED, level)
        else:
            joined = list(parts.items())
            if before and random.randrange(2): random.shuffle(joined)
            open(path, "wb").write(b"".join(b"%d" % number + pack(content, level, 31) for number, content in joined))

    write("old", None)
    change()
    write("new", "old")
    """#

  /// Each sort of file with a few seeds.
  static let pairs: [(String, UInt64)] = ["512", "1024", "4096", "65536", "zip", "gzip"].flatMap { kind in
    (1...4 as ClosedRange<UInt64>).map { (kind, $0) }
  }

  /// Two versions of a file.
  private struct Pair {
    let name: String
    let old: [UInt8]
    let new: [UInt8]
  }

  private static func make(_ kind: String, seed: UInt64) throws -> Pair {
    let folder = try Scratch("packed")
    try folder.write("make.py", program)
    let outcome = try ChildProcess.run("python3", ["\(folder.path)/make.py", folder.path, kind, "\(seed)"])
    try #require(outcome.status == 0, "python3 and sqlite3: \(outcome.error)")
    return Pair(name: "\(kind), seed \(seed)", old: try folder.read("old"), new: try folder.read("new"))
  }

  private static func apply(_ patch: PatchInMemory, to pair: Pair, comment: Comment) throws {
    var applier = MemoryApplier(old: pair.old)
    applier.memoryLimit = patch.head.memoryNeeded
    applier.piece = 4000
    let made = try applier.apply(patch.bytes, expectedHead: patch.headDigest)
    #expect(made == pair.new, comment)
    for point in applier.points.prefix(2) {
      let partial = Array(pair.new[..<Int(point.completed)])
      let again = try applier.apply(
        patch.bytes, expectedHead: patch.headDigest, from: point, partial: partial)
      #expect(again == pair.new, "\(comment), from \(point.completed)")
    }
  }

  /// Few matchings: all of them would take as long as a larger test.
  private static var options: PatchMaker.Options {
    var options = PatchMaker.Options()
    options.matchings = Array(options.matchings.prefix(2))
    return options
  }

  @Test("the patch makes the new file, and its streams make it smaller", arguments: pairs)
  func streams(kind: String, seed: UInt64) throws {
    let pair = try Self.make(kind, seed: seed)
    let patch = try PatchMaker(Self.options).make(old: pair.old.span, new: pair.new.span)
    #expect(patch.head.shape.maximumContent > 0, "\(pair.name) has no streams")
    try Self.apply(patch, to: pair, comment: "\(pair.name)")
    let again = try PatchMaker(Self.options).make(old: pair.old.span, new: pair.new.span)
    #expect(patch.bytes == again.bytes, "\(pair.name): the same files and options give the same bytes")
  }

  @Test(
    "small sections end between streams, and a reader can resume at each", arguments: ["512", "4096", "gzip"])
  func sections(kind: String) throws {
    let pair = try Self.make(kind, seed: 9)
    var options = Self.options
    options.blockSize = 512
    options.payloadSize = 4096
    options.sectionSize = 1000
    options.sectionOutput = 20_000
    let patch = try PatchMaker(options).make(old: pair.old.span, new: pair.new.span)
    try Self.apply(patch, to: pair, comment: "\(pair.name)")
  }

  @Test("contents are kept for the next try or inflated for each, and the patch makes the new file")
  func contents() throws {
    let parameters = try #require(DeflateParameters(level: 1, wrapper: .gzip))
    var random = SeededGenerator(6)
    var (old, new): ([UInt8], [UInt8]) = ([], [])
    // 4 MiB are kept: the first two streams with a source, and the small one; not the last two.
    for (size, hasSource) in [
      (800 << 10, true), (800 << 10, true), (900, false), (800 << 10, true), (900 << 10, false),
    ] {
      var content = random.bytes(size, values: 8)
      if hasSource { old += try deflated(content, parameters) }
      content[size / 2] ^= 1
      new += try deflated(content, parameters)
    }
    let pair = Pair(name: "kept contents", old: old, new: new)
    let patch = try PatchMaker(Self.options).make(old: old.span, new: new.span)
    #expect(patch.bytes.count < 400 << 10)
    try Self.apply(patch, to: pair, comment: "\(pair.name)")
  }

  @Test("without a base the streams are packed better than they were")
  func packed() throws {
    let pair = try Self.make("4096", seed: 5)
    let nothing: [UInt8] = []
    let patch = try PatchMaker(Self.options).make(old: nothing.span, new: pair.new.span)
    #expect(patch.head.shape.maximumContent > 0)
    try Self.apply(patch, to: Pair(name: pair.name, old: [], new: pair.new), comment: "\(pair.name), packed")
  }

  @Test(
    "where the memory does not suffice for all suffixes the patch makes the same file",
    arguments: ["1024", "zip"], [1, 20_000, 100_000])
  func blocks(kind: String, memory: Int) throws {
    let pair = try Self.make(kind, seed: 6)
    #expect(SearchBudget.choose(old: pair.old.count, new: pair.old.count, limit: memory).index == .blocks)
    let maker = PatchMaker(Self.options)
    let patch = try maker.make(old: pair.old.span, new: pair.new.span, memory: memory)
    try Self.apply(patch, to: pair, comment: "\(pair.name), \(memory) bytes")
    let again = try maker.make(old: pair.old.span, new: pair.new.span, memory: memory)
    #expect(patch.bytes == again.bytes, "\(pair.name), \(memory) bytes")
  }

  @Test(
    "files of all sorts are matched by blocks, too",
    arguments: FilePair.pairs(seed: 21, size: 3000) + FilePair.pairs(seed: 22, size: 40_000))
  func allSorts(pair: FilePair) throws {
    let patch = try PatchMaker(Self.options).make(old: pair.old.span, new: pair.new.span, memory: 1)
    try Self.apply(patch, to: Pair(name: pair.name, old: pair.old, new: pair.new), comment: "\(pair.name)")
  }

  @Test("what moved in a file that is matched by blocks is found")
  func movedBlocks() throws {
    var random = SeededGenerator(23)
    let old = random.bytes(400_000)
    let new = Array(old[200_003...]) + [1, 2, 3] + old[..<199_999]
    let memory = 64 << 10
    #expect(SearchBudget.choose(old: old.count, new: old.count, limit: memory).index == .blocks)
    let patch = try PatchMaker(Self.options).make(old: old.span, new: new.span, memory: memory)
    #expect(patch.bytes.count < 200)
    try Self.apply(patch, to: Pair(name: "moved", old: old, new: new), comment: "moved")
  }
}
