import Codec
import DeltaCreate
import DeltaTestSupport
import TestSupport
import Testing

@testable import Publisher

@Suite("Reports about deflate streams")
struct StreamReportTests {
  private let scratch: TestRepository
  private let program: Program
  private var random = SeededGenerator(61)
  private let usual: DeflateParameters

  init() throws {
    scratch = try TestRepository()
    program = try #require(try Program(), "tinypublish has to be built beside the tests")
    usual = try #require(DeflateParameters(level: 6, wrapper: .zlib))
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try program.run(arguments, in: scratch.path)
  }

  /// Two versions of a file: one stream stays, one changes, one is new, and some that cannot be rebuilt change.
  private mutating func writeFiles() throws -> (new: Int, sizes: [Int]) {
    let contents = (0..<3).map { _ in random.bytes(2000, values: 20) }
    let streams = try contents.map { try deflated($0, usual) }
    let changed = try deflated(contents[1].dropLast() + [99], usual)
    var large = [UInt8](repeating: 7, count: 67_200_000)
    let oldLarge = try deflated(large, usual)
    large[3] = 8
    let newLarge = try deflated(large, usual)
    let other = (0..<3).map { _ in random.bytes(4500, values: 20) }
    let stored = other.map { storedStream($0 + [99]) }
    let new = streams[0] + changed + streams[2] + newLarge + stored.joined()
    try scratch.write("old", streams[0] + streams[1] + oldLarge + other.flatMap(storedStream))
    try scratch.write("new", new)
    return (
      new.count, [streams[0].count, changed.count, streams[2].count, newLarge.count, stored.joined().count]
    )
  }

  @Test("diff prints what became of the streams, and a sentence for each reason why some were not rebuilt")
  mutating func diff() throws {
    let (new, sizes) = try writeFiles()
    let words = ["diff", "\(scratch.input)/old", "\(scratch.input)/new", "-o", "\(scratch.path)/patch"]
    let text = try program.run(words, in: scratch.path)
    #expect(text.status == 0 && text.error == "")
    let lines = text.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 8, "\(text)")
    #expect(
      lines[4...] == [
        "scripts      2 tried, taken: compressed contents are rebuilt",
        "streams      7 found (83.0 kB): 1 copied (1.17 kB), 1 rebuilt from the old file (1.18 kB), "
          + "1 rebuilt without the old file (1.17 kB), 4 not rebuilt (79.5 kB)",
        "1 deflate stream (65.3 kB) was not rebuilt: its content is larger than 67.1 MB, or than a 64th of --memory; "
          + "contents in smaller parts make smaller patches.",
        "3 deflate streams (14.2 kB) were not rebuilt: zlib does not seem to have made them; "
          + "maps whose tiles are compressed by zlib make much smaller patches.",
      ])
    let json = try program.run(words + ["--json"], in: scratch.path)
    #expect(
      json.output.contains(
        """
        "unsearched":0,"deflateStreams":{"found":{"count":7,"size":\(new)},\
        "copied":{"count":1,"size":\(sizes[0])},"rebuiltFromOld":{"count":1,"size":\(sizes[1])},\
        "rebuiltWithoutOld":{"count":1,"size":\(sizes[2])},"rebuiltWithGuide":{"count":0,"size":0},\
        "contentTooLarge":{"count":1,"size":\(sizes[3])},\
        "otherEncoder":{"count":3,"size":\(sizes[4])},"tooManyExtents":{"count":0,"size":0},\
        "notSmaller":{"count":0,"size":0}},"streams":true}
        """), "\(json)")
  }

  @Test("inspect --contents shows the streams that a patch rebuilds, and no table if there are none")
  mutating func inspect() throws {
    let sizes = try writeFiles().sizes
    let patch = "\(scratch.path)/patch"
    let made = try run("diff", "\(scratch.input)/old", "\(scratch.input)/new", "-o", patch, "--quiet")
    #expect(made == .init(status: 0, output: "", error: ""))
    let text = try run("inspect", "--contents", patch)
    #expect(
      text.output.hasSuffix(
        """

        deflate streams rebuilt  count  bytes  bytes of contents
        from the old file            1   \(sizes[1])               2000
        without the old file         1   \(sizes[2])               2000

        """), "\(text)")
    let json = try run("inspect", "--contents", "--json", patch)
    #expect(
      json.output.hasSuffix(
        """
        "deflateStreams":{"rebuiltFromOld":{"count":1,"size":\(sizes[1]),"contentSize":2000},\
        "rebuiltWithoutOld":{"count":1,"size":\(sizes[2]),"contentSize":2000},\
        "rebuiltWithGuide":{"count":0,"size":0,"contentSize":0}}}

        """), "\(json)")
    _ = try run("diff", "\(scratch.input)/old", "\(scratch.input)/old", "-o", patch)
    #expect(try !run("inspect", "--contents", patch).output.contains("streams"))
  }

  @Test("diff reports streams in too many extents, those that make no smaller patch, and none")
  mutating func otherOutcomes() throws {
    let content = random.bytes(6000, values: 20)
    let stream = try deflated(content, usual)
    var damaged = stream
    damaged[damaged.count - 1] ^= 1
    let noise = random.bytes(1000)
    let cases: [(old: [UInt8], new: [UInt8], lines: [String])] = [
      (
        noise, picture(stream, chunks: 1100),
        [
          "streams      1 found (3.58 kB): 1 not rebuilt (3.58 kB)",
          "1 deflate stream (3.58 kB) was not rebuilt: it is scattered over too many parts of the file; "
            + "databases with larger pages make smaller patches.",
        ]
      ),
      (
        damaged, stream, ["streams      1 found (3.58 kB): 1 not worth rebuilding (3.58 kB)"]
      ),
      (damaged, noise, ["streams      none found"]),
    ]
    for (old, new, lines) in cases {
      try scratch.write("old", old)
      try scratch.write("new", new)
      let made = try run(
        "diff", "\(scratch.input)/old", "\(scratch.input)/new", "-o", "\(scratch.path)/patch")
      #expect(made.output.split(separator: "\n").dropFirst(5).map(String.init) == lines)
    }
  }

  @Test("streams are searched for with the least memory, too")
  mutating func leastMemory() throws {
    let new = try deflated(random.bytes(3000, values: 20), usual)
    try scratch.write("old", random.bytes(3000, values: 20))
    try scratch.write("new", new)
    let words = ["diff", "\(scratch.input)/old", "\(scratch.input)/new", "-o", "\(scratch.path)/patch"]
    let json = try program.run(words + ["--memory", "1M", "--json"], in: scratch.path)
    #expect(
      json.output.contains(
        "\"unsearched\":0,\"deflateStreams\":{\"found\":{\"count\":1,\"size\":\(new.count)}"))
  }

  @Test(
    "a release has one sentence for all components whose streams were not rebuilt, and the figures of each")
  mutating func release() throws {
    #expect(try run("init", scratch.repository).status == 0)
    let contents = (0..<2).map { _ in random.bytes(9000, values: 20) }
    try scratch.write("europe/malta/base.mbtiles", storedStream(contents[0]))
    try scratch.write("europe/spain/base.mbtiles", storedStream(contents[1]))
    let large = try deflated([UInt8](repeating: 7, count: 67_200_000), usual)
    try scratch.write("europe/spain/search.mbtiles", large)
    let first = try run("release", scratch.repository, scratch.input, "-l", "1")
    #expect(
      first.output.contains(
        """

        europe/spain/search.mbtiles: 1 deflate stream (65.3 kB) was not rebuilt: its content is larger than 67.1 MB, or than a 64th of --memory; \
        contents in smaller parts make smaller patches.
        2 components: 2 deflate streams (18.9 kB) were not rebuilt: zlib does not seem to have made them; \
        maps whose tiles are compressed by zlib make much smaller patches.

        """), "\(first)")
    try scratch.write("europe/malta/base.mbtiles", storedStream(contents[0] + [99]))
    let second = try run("release", scratch.repository, scratch.input, "-l", "2", "--json")
    let figures = second.output.split(separator: "\"deflateStreams\":").dropFirst()
    // No payload was made for the other components.
    #expect(figures.count == 1, "\(second)")
    #expect(figures.first?.contains("\"otherEncoder\":{\"count\":1,\"size\":9462}") == true, "\(second)")
  }

  @Test("the figures of a component are those of its newest patch, else of its packed form")
  mutating func payload() async throws {
    let contents = (0..<3).map { _ in random.bytes(9000, values: 20) }
    let streams = try contents.map { try deflated($0, usual) }
    let changed = try deflated(contents[1].dropLast() + [99], usual)
    var outcomes: [[StreamFigures.Outcome]] = []
    for (label, file) in [("1", streams[0]), ("2", streams[1]), ("3", streams[0] + changed)] {
      try scratch.write("europe/malta/base.mbtiles", file)
      let figures = try #require(try await scratch.release(label).components.first?.streams)
      outcomes.append(
        StreamFigures.Outcome.allCases.flatMap { Array(repeating: $0, count: figures[$0].count) })
    }
    #expect(
      outcomes == [[.rebuiltWithoutOld], [.rebuiltWithoutOld], [.rebuiltFromOld, .rebuiltWithoutOld]])
    let unchanged = try await scratch.release("4")
    #expect(unchanged.components.map(\.streams) == [nil])
  }
}
