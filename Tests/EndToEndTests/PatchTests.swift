import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// `tinypublish diff` and `tinyupdater patch`: from file to file, without a repository.
  @Suite("Bare patches")
  struct PatchTests {
    private let scratch: Scratch
    private let old: [UInt8]
    private let new: [UInt8]

    init() throws {
      scratch = try Scratch("patch")
      var random = SeededGenerator(12)
      let old = (0..<60_000).map { _ in UInt8.random(in: 0...60, using: &random) }
      new = old[20_000...] + [1, 2, 3, 4, 5] + old[..<10_000]
      self.old = old
      try scratch.write("old", old)
      try scratch.write("new", new)
    }

    private func path(_ name: String) -> String { name.hasPrefix("/") ? name : "\(scratch.path)/\(name)" }

    /// Makes a patch; its figures.
    @discardableResult
    private func diff(_ old: String, _ new: String, _ options: String...) throws -> [String: Any] {
      let words = ["diff", path(old), path(new), "-o", path("patch"), "--json"] + options
      let outcome = try ChildProcess.run(Programs.tinypublish(), words)
      #expect(outcome.status == 0, "\(outcome.error)")
      return try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    private func patch(
      _ old: String = "old", _ patch: String = "patch", _ new: String = "made", _ options: String...
    ) throws -> ChildProcess.Outcome {
      try ChildProcess.run(
        Programs.tinyupdater(),
        ["patch"] + options + [path(old), patch == "-" ? "-" : path(patch), path(new)])
    }

    /// It was refused with a sentence, and left no files.
    private func expectRefused(
      _ outcome: ChildProcess.Outcome, _ exit: Int32, _ words: String, _ comment: Comment? = nil
    ) throws {
      #expect(outcome.status == exit && outcome.error.contains(words), "\(outcome) \(comment ?? "")")
      #expect(outcome.output == "", comment)
      #expect(try !scratch.names().contains { $0.hasPrefix("made") }, comment)
    }

    // MARK: - Round trips

    @Test("a patch makes the new file, from a file and from a pipe, without output")
    func roundTrip() throws {
      let figures = try diff("old", "new")
      let bytes = try scratch.read("patch")
      #expect(figures["size"] as? Int == bytes.count && bytes.count < 500)
      #expect(figures["oldSize"] as? Int == old.count && figures["newSize"] as? Int == new.count)
      #expect(figures["streams"] as? Bool == true && figures["unsearched"] as? Int == 0)
      #expect(try scratch.names() == ["new", "old", "patch"])
      let outcome = try patch()
      #expect(outcome.status == 0 && outcome.output == "" && outcome.error == "", "\(outcome)")
      #expect(try scratch.read("made") == new)
      let script =
        "cat \(path("patch")) | \(try Programs.tinyupdater()) patch \(path("old")) - \(path("piped"))"
      #expect(try ChildProcess.run("sh", ["-c", script]).status == 0)
      #expect(try scratch.read("piped") == new)
      #expect(try scratch.names() == ["made", "new", "old", "patch", "piped"])
    }

    @Test("the same files make the same patch")
    func deterministic() throws {
      try diff("old", "new")
      let first = try scratch.read("patch")
      try diff("old", "new")
      #expect(try scratch.read("patch") == first)
    }

    @Test("a packed component takes no old file, and files may be empty")
    func packed() throws {
      try scratch.write("empty", "")
      for (old, new) in [("/dev/null", "new"), ("/dev/null", "empty"), ("old", "empty"), ("empty", "new")] {
        try diff(old, new)
        #expect(try patch(old).status == 0, "\(old) \(new)")
        #expect(try scratch.read("made") == scratch.read(new), "\(old) \(new)")
      }
    }

    @Test("the new file can replace the old one")
    func inPlace() throws {
      try diff("old", "new")
      #expect(try patch("old", "patch", "old").status == 0)
      #expect(try scratch.read("old") == new)
    }

    @Test("tiles of databases are rebuilt in the memory that the patch declares, and not in less")
    func tiles() throws {
      try TileDatabase.make(2, in: scratch, pageSize: 4096)
      let figures = try diff("old.mbtiles", "new.mbtiles")
      let (size, memory) = (figures["size"] as? Int ?? .max, figures["memory"] as? Int ?? 0)
      #expect(size < (try scratch.read("new.mbtiles").count) / 4)
      // The program itself takes 1 MiB.
      let enough = memory + 1 << 20
      #expect(try patch("old.mbtiles", "patch", "made", "--memory", "\(enough)").status == 0)
      #expect(try scratch.read("made") == scratch.read("new.mbtiles"))
      try Directory(opening: scratch.path).remove("made")
      let less = try patch("old.mbtiles", "patch", "made", "--memory", "\(enough - 1)")
      try expectRefused(
        less, 23,
        "needs \(ByteCount(UInt64(memory)).atLeast) of memory; \(ByteCount(UInt64(memory - 1)).text) are allowed"
      )
    }

    // MARK: - What is refused

    @Test("another old file is refused, by its size or at the end")
    func wrongOld() throws {
      try diff("old", "new")
      try scratch.write("shorter", Array(old.dropLast()))
      try expectRefused(
        patch("shorter"), 21, "needs an old file of \(old.count) bytes; the one here has \(old.count - 1)")
      try scratch.write("other", old.map { $0 ^ 1 })
      try expectRefused(patch("other"), 21, "was made from a different old file of the same size")
      try expectRefused(patch("/dev/null"), 21, "needs an old file of \(old.count) bytes")
    }

    @Test("every changed byte is detected")
    func changedBytes() throws {
      try diff("old", "new")
      let bytes = try scratch.read("patch")
      // The dictionary and the largest payload, block and content are bounds: larger ones may do as well.
      var bounds = 4..<5
      for _ in 0..<3 {
        while bytes[bounds.upperBound] >= 0x80 { bounds = 4..<bounds.upperBound + 1 }
        bounds = 4..<bounds.upperBound + 1
      }
      // The check of the old file only says why a new file came out wrong.
      let check = Int(bytes[3]) - 4..<Int(bytes[3])
      for index in bytes.indices {
        for change in [0x01, 0x80] as [UInt8] {
          var changed = bytes
          changed[index] ^= change
          try scratch.write("patch", changed)
          let outcome = try patch()
          if (bounds.contains(index) || check.contains(index)) && outcome.status == 0 {
            #expect(try scratch.read("made") == new)
            try Directory(opening: scratch.path).remove("made")
          } else {
            let isOverMemory = bounds.contains(index) && outcome.status == 23
            try expectRefused(
              outcome, isOverMemory ? 23 : 21, path("patch"), "byte \(index) of \(bytes.count)")
          }
        }
      }
    }

    @Test("every truncated patch is refused, and trailing data too")
    func otherLengths() throws {
      try diff("old", "new")
      let bytes = try scratch.read("patch")
      for count in bytes.indices {
        try scratch.write("patch", Array(bytes[..<count]))
        try expectRefused(patch(), 21, "is truncated", "\(count)")
      }
      try scratch.write("patch", bytes + [0])
      try expectRefused(patch(), 21, "has trailing data")
      try scratch.write("patch", "something else")
      try expectRefused(patch(), 21, "is not a patch")
    }

    @Test("a patch that needs more memory than allowed is refused before anything is written")
    func memory() throws {
      var random = SeededGenerator(13)
      try scratch.write("large", (0..<4 << 20).map { _ in UInt8.random(in: 0...60, using: &random) })
      let figures = try diff("/dev/null", "large", "--dictionary", "4M")
      let memory = figures["memory"] as? Int ?? 0
      #expect(memory > 4 << 20)
      let outcome = try patch("/dev/null", "patch", "made", "--memory", "4M")
      try expectRefused(
        outcome, 23, "needs \(ByteCount(UInt64(memory)).atLeast) of memory; 3.14 MB are allowed")
      #expect(try patch("/dev/null").status == 0)
    }

    @Test(
      "on a full disk nothing is left", .enabled(if: Volume.isPossible, "mounting file systems takes root"))
    func noSpace() throws {
      var random = SeededGenerator(14)
      try scratch.write("large", (0..<2 << 20).map { _ in UInt8.random(in: 0...255, using: &random) })
      try diff("/dev/null", "large")
      let volume = try Volume(megabytes: 1)
      let outcome = try patch("/dev/null", "patch", "\(volume.path)/made")
      try expectRefused(outcome, 22, "/made: No space left on device")
      #expect(try names(volume.path) == [])
    }

    @Test("missing files, and a directory in the place of a file, are refused")
    func missing() throws {
      try diff("old", "new")
      try expectRefused(patch("old", "patch", "nowhere/made"), 24, "nowhere")
      try expectRefused(patch("absent"), 24, "absent: No such file")
      try expectRefused(patch("old", "absent"), 24, "absent: No such file")
      try expectRefused(patch("."), 24, "Is a directory")
      try scratch.makeDirectory("made")
      #expect(try patch().status == 24)
      #expect(try scratch.names() == ["made", "new", "old", "patch"])
    }

    // MARK: - Interruption

    @Test(
      "a signal ends it while it waits for the patch; the file that had the name stays until the rename",
      arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) throws {
      var random = SeededGenerator(15)
      try scratch.write("large", (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) })
      try scratch.write("made", "what was there")
      try diff("/dev/null", "large")
      let bytes = try scratch.read("patch")
      #expect(mkfifo(path("pipe"), 0o600) == 0)
      // Open for writing as long as this lives: the program never sees the end.
      let pipe = try File(opening: path("pipe"), to: .update)
      let words = ["patch", "/dev/null", path("pipe"), path("made")]
      let child = try ChildProcess(try Programs.tinyupdater(), words)
      let half = Array(bytes[..<(bytes.count / 2)])
      try pipe.write(half.span.bytes)
      try wait { try scratch.names().contains { $0.hasSuffix(".part") } }
      #expect(try scratch.read("made") == Array("what was there".utf8))
      child.signal(signal)
      let outcome = child.wait(timeout: 20)
      #expect(outcome.status == 26 && !outcome.isTimedOut, "\(outcome)")
      #expect(try scratch.read("made") == Array("what was there".utf8))
      #expect(try !scratch.names().contains { $0.hasSuffix(".part") })
      #expect(try patch("/dev/null").status == 0)
      #expect(try scratch.read("made") == scratch.read("large"))
    }

    // MARK: - Usage

    @Test("an invalid command line is refused")
    func usage() throws {
      let program = try Programs.tinyupdater()
      for words in [
        [], ["old"], ["old", "patch"], ["old", "patch", "new", "more"], ["--unknown", "old", "patch", "new"],
        ["--memory", "much", "old", "patch", "new"], ["--memory"], ["--json", "old", "patch", "new"],
      ] {
        let outcome = try ChildProcess.run(program, ["patch"] + words)
        #expect(outcome.status == 64 && outcome.error != "" && outcome.output == "", "\(words): \(outcome)")
      }
      let help = try ChildProcess.run(program, ["patch", "--help"])
      #expect(help.status == 0 && help.output.contains("usage: tinyupdater patch") && help.error == "")
    }

    @Test("a refused tinypublish diff leaves no files")
    func badDiff() throws {
      for (words, exit) in [
        (["old", "new"], 64), (["old"], 64), (["old", "new", "-o", "patch", "--dictionary", "1K"], 64),
        (["old", "new", "-o", "patch", "--memory", "much"], 64), (["absent", "new", "-o", "patch"], 24),
        (["old", "absent", "-o", "patch"], 24), (["old", "new", "-o", "nowhere/patch"], 24),
      ] as [([String], Int32)] {
        let full = words.map {
          ["old", "new", "absent", "patch", "nowhere/patch"].contains($0) ? path($0) : $0
        }
        let outcome = try ChildProcess.run(Programs.tinypublish(), ["diff"] + full)
        #expect(outcome.status == exit && outcome.error != "", "\(words): \(outcome)")
        #expect(try scratch.names() == ["new", "old"], "\(words)")
      }
    }
  }
}

/// Databases with compressed tiles, made by Python's sqlite3.
enum TileDatabase {
  private static let program = #"""
    import gzip, io, random, sqlite3, sys, zlib
    folder, seed, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    random.seed(seed)
    words = [bytes(random.randrange(40, 120) for _ in range(random.randrange(3, 12))) for _ in range(500)]

    def pack(content):
        coder = zlib.compressobj(6, zlib.DEFLATED, 31)
        return coder.compress(content) + coder.flush()

    tiles = [b"".join(random.choice(words) for _ in range(random.randrange(20, 3000))) for _ in range(60)]
    for name in "old", "new":
        db = sqlite3.connect(f"{folder}/{name}.mbtiles")
        db.execute(f"pragma page_size = {size}")
        db.execute("create table tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)")
        for number, tile in enumerate(tiles):
            db.execute("insert into tiles values (8, ?, ?, ?)", (number, number * 7 % 60, pack(tile)))
        db.execute("create unique index tile_index on tiles (zoom_level, tile_column, tile_row)")
        db.commit()
        db.close()
        for number in range(0, 60, 2):
            cut = random.randrange(len(tiles[number]))
            tiles[number] = tiles[number][:cut] + random.choice(words) + tiles[number][cut + 3:]
        del tiles[7]
        tiles.insert(31, b"".join(random.choice(words) for _ in range(900)))
    """#

  /// Writes `old.mbtiles` and `new.mbtiles`, in which half of the tiles changed a little.
  static func make(_ seed: Int, in scratch: Scratch, pageSize: Int) throws {
    try scratch.write("tiles.py", program)
    try Programs.run("python3", "\(scratch.path)/tiles.py", scratch.path, "\(seed)", "\(pageSize)")
  }
}
