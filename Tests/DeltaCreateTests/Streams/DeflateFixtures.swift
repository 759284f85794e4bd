import Codec
import DeltaTestSupport
import PatchFormat
import Platform
import TestSupport
import Testing

@testable import DeltaCreate

/// Files with deflate streams, made by Python's sqlite3, zlib, gzip and zipfile when the tests begin.
enum DeflateFixtures {
  private static let program = #"""
    import binascii, gzip, io, random, sqlite3, struct, subprocess, sys, zipfile, zlib
    folder = sys.argv[1]
    random.seed(3)
    words = [bytes(random.randrange(40, 90) for _ in range(random.randrange(2, 9))) for _ in range(300)]

    def text(count):
        result = bytearray()
        while len(result) < count: result += random.choice(words)
        return bytes(result[:count])

    def packed(content, level, bits, memory=8, strategy=0):
        coder = zlib.compressobj(level, zlib.DEFLATED, bits, memory, strategy)
        return coder.compress(content) + coder.flush()

    # A size for each, so that some blobs fit into a page and some continue over many.
    sizes = [70, 100, 300, 700, 1500, 4000, 5000, 9000, 20000, 33000, 70000, 200000]
    contents = [text(size) for size in sizes]
    kinds = [(6, 31, 8), (9, 15, 8), (1, 15, 9), (6, 31, 9), (5, 15, 8), (9, 31, 8)]
    blobs = [packed(content, *kinds[number % len(kinds)]) for number, content in enumerate(contents)]
    for number, content in enumerate(contents): open(f"{folder}/content.{number}", "wb").write(content)

    def database(name, size, vacuum=0, schema="create table t (a, b text, tile_data blob)"):
        db = sqlite3.connect(f"{folder}/{name}")
        db.execute(f"pragma page_size = {size}")
        db.execute(f"pragma auto_vacuum = {vacuum}")
        db.execute(schema)
        for number, blob in enumerate(blobs):
            db.execute("insert into t values (?, ?, ?)", (number, "name" * number, blob))
            db.execute("insert into t values (?, ?, ?)", (number + 100, "none", random.randbytes(300)))
        db.commit()
        db.execute("vacuum")
        db.close()

    for size in 512, 1024, 4096, 65536: database(f"{size}.db", size)
    database("autovacuum.db", 1024, 1)
    database("withoutRowID.db", 1024, 0, "create table t (a integer primary key, b text, tile_data blob) without rowid")
    database("withoutRowIDLarge.db", 65536, 0, "create table t (a integer primary key, b text, tile_data blob) without rowid")
    db = sqlite3.connect(f"{folder}/rows.db")
    db.execute("pragma page_size = 1024")
    db.execute("create table t (a blob, b blob, c blob)")
    # The second and third blob of a row begin in its overflow pages.
    for number in range(0, len(blobs), 3): db.execute("insert into t values (?, ?, ?)", blobs[number:number + 3])
    db.execute("create index i on t (a)")
    db.commit()
    db.close()
    commands = [".filectrl reserve_bytes 40", "pragma page_size = 1024", "vacuum", "create table t (a, b)"]
    for number, blob in enumerate(blobs):
        commands.append(f"insert into t values ({number}, x'{blob.hex()}')")
    script = commands[0] + "\n" + "".join(f"{command};\n" for command in commands[1:])
    subprocess.run(["sqlite3", f"{folder}/reserved.db"], input=script.encode(), check=True, stdout=subprocess.DEVNULL)
    assert open(f"{folder}/reserved.db", "rb").read()[20] == 40

    noise = random.randbytes(1000)
    open(f"{folder}/joined.bin", "wb").write(b"".join(noise[:number * 7] + blob for number, blob in enumerate(blobs)))
    open(f"{folder}/adjacent.bin", "wb").write(b"".join(blobs))

    named = b""
    for number, content in enumerate(contents):
        room = io.BytesIO()
        with gzip.GzipFile(f"tile {number}", "wb", 6, room, 1700000000) as file: file.write(content)
        named += room.getvalue()
    open(f"{folder}/named.bin", "wb").write(named)

    class Pipe(io.RawIOBase):
        def __init__(self): self.bytes = b""
        def writable(self): return True
        def write(self, piece): self.bytes += bytes(piece); return len(piece)
    for name, room in ("sized.zip", io.BytesIO()), ("piped.zip", Pipe()):
        with zipfile.ZipFile(room, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for number, content in enumerate(contents): archive.writestr(f"a/{number}.bin", content)
        open(f"{folder}/{name}", "wb").write(room.getvalue() if name == "sized.zip" else room.bytes)

    def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", binascii.crc32(kind + data))
    def png(content, piece):
        stream = packed(content, 9, 15, 9, 1)
        chunks = [chunk(b"IDAT", stream[start:start + piece]) for start in range(0, len(stream), piece)]
        header = chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0))
        return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + chunk(b"IEND", b"")
    open(f"{folder}/pictures.bin", "wb").write(b"".join(png(content, 500) + b"--" for content in contents))
    db = sqlite3.connect(f"{folder}/pictures.db")
    db.execute("pragma page_size = 512")
    db.execute("create table t (a integer primary key, b blob)")
    for content in contents: db.execute("insert into t (b) values (?)", (png(content, 300),))
    db.commit()
    """#

  static let names = [
    "512.db", "1024.db", "4096.db", "65536.db", "autovacuum.db", "withoutRowID.db", "withoutRowIDLarge.db",
    "rows.db", "reserved.db", "joined.bin", "adjacent.bin", "named.bin", "sized.zip", "piped.zip",
    "pictures.bin", "pictures.db",
  ]

  private static let made: Result<(contents: [[UInt8]], files: [String: [UInt8]]), any Error> = Result {
    let folder = try Scratch("deflate")
    try folder.write("make.py", program)
    let outcome = try ChildProcess.run("python3", ["\(folder.path)/make.py", folder.path])
    try #require(outcome.status == 0, "python3 and sqlite3: \(outcome.error)")
    var files: [String: [UInt8]] = [:]
    for name in names { files[name] = try folder.read(name) }
    return (try (0..<12).map { try folder.read("content.\($0)") }, files)
  }

  /// What the streams of each file inflate to, in no order.
  static func contents() throws -> [[UInt8]] { try made.get().contents }

  static func file(_ name: String) throws -> [UInt8] { try #require(made.get().files[name]) }
}

/// A stream that was found, inflated, and made again.
struct FoundStream {
  let stream: DeflateStream
  let content: [UInt8]
}

/// All streams of a file, after checking what is promised of them.
func foundStreams(
  _ file: [UInt8], for purpose: DeflateFinder.Purpose = .target,
  maximumContent: Int = DeflateLimits.maximumContent
) throws -> [FoundStream] {
  try file.withUnsafeBufferPointer { bytes in
    let streams = try DeflateFinder.search(bytes, for: purpose, maximumContent: maximumContent).streams
    var reader = try ContentReader(bytes)
    var last = 0
    let extents = streams.flatMap(\.extents).sorted { $0.lowerBound < $1.lowerBound }
    for extent in extents {
      #expect(!extent.isEmpty && extent.lowerBound >= last && extent.upperBound <= file.count)
      last = extent.upperBound
    }
    #expect(streams.map { $0.extents[0].lowerBound } == streams.map { $0.extents[0].lowerBound }.sorted())
    return try streams.map { stream in
      let content = try reader.content(of: stream)
      if let parameters = stream.parameters {
        #expect(parameters.wrapper == stream.wrapper)
        let made = try deflated(content, parameters)
        #expect(made == stream.extents.flatMap { file[$0] })
      }
      return FoundStream(stream: stream, content: content)
    }
  }
}
