import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// The programs' zlib searches for matches with a function of its own (`cross/libraries/zlib.patch`), the original does not.
  @Suite("Matches of streams")
  struct MatchTests {
    private let scratch: Scratch

    /// Contents with many candidates for a match, and with matches of every length, packed with parameters of every kind.
    private static let program = #"""
      import random, sqlite3, sys, zlib
      folder, seed = sys.argv[1], int(sys.argv[2])
      random.seed(seed)
      # level, window, memory, strategy
      parameters = [(9, 15, 9, 0), (9, 15, 8, 0), (8, 12, 8, 0), (6, 15, 8, 0), (6, 9, 1, 0), (5, 10, 4, 0), (4, 15, 8, 1),
                    (3, 15, 8, 0), (1, 11, 8, 0)]

      def content(kind):
          out = bytearray()
          size = random.choice((3000, 20000, 40000))
          phrase = random.randbytes(random.choice((3, 7, 8, 9, 40, 300)))
          while len(out) < size:
              if kind == 0:
                  out += phrase[: random.randrange(1, len(phrase) + 1)] + bytes((random.randrange(4),))
              elif kind == 1:
                  out += bytes((random.choice((0, 0, 0, 1)),)) * random.randrange(1, 20)
              elif kind == 2:
                  run = random.choice((256, 257, 258, 259, 260, 516, 700))
                  out += bytes((random.randrange(2),)) * run + random.randbytes(2)
              elif out and random.randrange(3):
                  start = random.randrange(len(out))
                  out += out[start : start + random.randrange(3, 300)]
              else:
                  out += random.randbytes(random.randrange(1, 12))
          return bytes(out)

      contents = [content(number % 4) for number in range(4 * len(parameters))]
      for name in "old", "new":
          db = sqlite3.connect(f"{folder}/{name}.mbtiles")
          db.execute("create table tiles (tile_data blob)")
          for number, bytes_ in enumerate(contents):
              level, *others = parameters[number // 4]
              coder = zlib.compressobj(level, zlib.DEFLATED, *others)
              db.execute("insert into tiles values (?)", (coder.compress(bytes_) + coder.flush(),))
          db.commit()
          db.close()
          contents = [c[: len(c) // 2] + b"x" + c[len(c) // 2 + 1 :] for c in contents]
      """#

    init() throws { scratch = try Scratch("matches") }

    @Test("the device's zlib and the publisher's make the same streams as the original", arguments: [1, 2])
    func equal(seed: Int) throws {
      let path = scratch.path
      try scratch.write("make.py", MatchTests.program)
      let made = try ChildProcess.run(
        "python3", ["\(path)/make.py", path, "\(seed)"], environment: ["LD_PRELOAD": Checkout.referenceZlib])
      #expect(made.status == 0, "\(made.error)")
      try Programs.run(
        Programs.tinypublish(), "diff", "\(path)/old.mbtiles", "\(path)/new.mbtiles", "-o",
        "\(path)/patch", "--quiet")
      // Most streams are rebuilt.
      #expect(try scratch.read("patch").count < (try scratch.read("new.mbtiles").count) / 4)
      let outcome = try ChildProcess.run(
        Programs.tinyupdater(), ["patch", "\(path)/old.mbtiles", "\(path)/patch", "\(path)/made"])
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(try scratch.read("made") == scratch.read("new.mbtiles"))
    }
  }
}
