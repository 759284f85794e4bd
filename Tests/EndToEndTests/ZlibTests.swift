import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// A zlib that compresses differently from that of devices, as zlib-ng does, under the program that makes patches.
  @Suite("Another zlib")
  struct ZlibTests {
    private let scratch: Scratch

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

    /// Makes a patch under that zlib, and applies it with the device's program.
    private func patch(by program: String) throws -> (size: Int, outcome: ChildProcess.Outcome) {
      let path = scratch.path
      let outcome = try ChildProcess.run(
        program, ["diff", "\(path)/old.mbtiles", "\(path)/new.mbtiles", "-o", "\(path)/patch", "--json"],
        environment: ["LD_PRELOAD": "\(path)/zlib.so"])
      #expect(outcome.status == 0, "\(outcome)")
      let applied = try ChildProcess.run(
        Programs.tinyupdater(), ["patch", "\(path)/old.mbtiles", "\(path)/patch", "\(path)/made"])
      #expect(applied.status == 0, "\(applied)")
      #expect(try scratch.read("made") == scratch.read("new.mbtiles"))
      return (try scratch.read("patch").count, outcome)
    }

    @Test("it is detected and reported, and the patch is larger but correct on devices")
    func noticed() throws {
      // Of this one zlib is a shared library.
      let made = try patch(by: "\(try #require(Checkout.products))/tinypublish")
      #expect(made.outcome.error.hasPrefix("tinypublish: this program's zlib compresses differently"))
      #expect(made.outcome.output.contains("\"streams\":false"))
      #expect(made.size > (try scratch.read("new.mbtiles").count) / 10)
    }

    @Test("the shipped program has its own")
    func shipped() throws {
      let made = try patch(by: Programs.optimizedPublisher)
      #expect(made.outcome.error == "")
      #expect(made.outcome.output.contains("\"streams\":true"))
      #expect(made.size < (try scratch.read("new.mbtiles").count) / 20)
    }
  }
}
