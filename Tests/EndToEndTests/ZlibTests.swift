import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// A zlib that compresses differently from that of devices, as zlib-ng does, in or under the program that makes patches.
  @Suite("Another zlib")
  struct ZlibTests {
    private let scratch: Scratch

    /// Of both builds, the second without optimization.
    private static var programs: [String] {
      [Programs.optimizedPublisher] + (Checkout.products.map { ["\($0)/tinypublish"] } ?? [])
    }

    /// Takes each level for another one: the streams are good, and not those that the parameters stand for.
    ///
    /// A patch that is made with it unawares says of the streams of level 6 that they are of level 2.
    private static let source = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      struct z_stream_s;
      static int other(int level) { return level < 4 ? 6 : 2; }
      int deflateInit2_(struct z_stream_s *stream, int level, int method, int bits, int memory, int strategy,
                        const char *version, int size) {
        int (*real)(struct z_stream_s *, int, int, int, int, int, const char *, int) =
            dlsym(RTLD_NEXT, "deflateInit2_");
        return real(stream, other(level), method, bits, memory, strategy, version, size);
      }
      int deflateParams(struct z_stream_s *stream, int level, int strategy) {
        int (*real)(struct z_stream_s *, int, int) = dlsym(RTLD_NEXT, "deflateParams");
        return real(stream, other(level), strategy);
      }
      """

    init() throws {
      scratch = try Scratch("zlib")
      try TileDatabase.make(2, in: scratch, pageSize: 4096)
      try scratch.write("zlib.c", ZlibTests.source)
      try Programs.run(
        "clang", "-shared", "-fPIC", "-O1", "-o", "\(scratch.path)/zlib.so", "\(scratch.path)/zlib.c")
    }

    /// Copies a program and gives its zlib's level 6 the parameters of level 5.
    private static let altering = """
      import re, sys
      def row(*numbers):
          return b"".join(number.to_bytes(2, "little") for number in numbers)
      fifth, sixth = row(8, 16, 32, 32), row(8, 16, 128, 128)
      program = open(sys.argv[1], "rb").read()
      # The address of a function follows each.
      program, count = re.subn(fifth + b"(.{8})" + sixth, fifth + rb"\\1" + fifth, program, flags=re.DOTALL)
      assert count == 1, count
      open(sys.argv[2], "wb").write(program)
      """

    /// Makes a patch and applies it with the device's program.
    private func patch(
      by program: String, with library: String = ""
    ) throws -> (size: Int, outcome: ChildProcess.Outcome) {
      let path = scratch.path
      let outcome = try ChildProcess.run(
        program, ["diff", "\(path)/old.mbtiles", "\(path)/new.mbtiles", "-o", "\(path)/patch", "--json"],
        environment: ["LD_PRELOAD": library])
      #expect(outcome.status == 0, "\(outcome)")
      let applied = try ChildProcess.run(
        Programs.tinyupdater(), ["patch", "\(path)/old.mbtiles", "\(path)/patch", "\(path)/made"])
      #expect(applied.status == 0, "\(applied)")
      #expect(try scratch.read("made") == scratch.read("new.mbtiles"))
      return (try scratch.read("patch").count, outcome)
    }

    @Test("it is detected and reported, and the patch is larger but correct on devices")
    func noticed() throws {
      let altered = "\(scratch.path)/altered"
      let program = "\(try #require(Checkout.products))/tinypublish"
      try Programs.run("python3", "-c", ZlibTests.altering, program, altered)
      try #require(chmod(altered, 0o755) == 0)
      let made = try patch(by: altered)
      #expect(made.outcome.error.hasPrefix("tinypublish: this program's zlib compresses differently"))
      #expect(made.outcome.output.contains("\"streams\":false"))
      #expect(made.size > (try scratch.read("new.mbtiles").count) / 10)
    }

    @Test("every build has its own, which no shared library replaces", arguments: programs)
    func own(program: String) throws {
      let made = try patch(by: program, with: "\(scratch.path)/zlib.so")
      #expect(made.outcome.error == "")
      #expect(made.outcome.output.contains("\"streams\":true"))
      #expect(made.size < (try scratch.read("new.mbtiles").count) / 20)
    }
  }
}
