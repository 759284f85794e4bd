import Codec
import DeltaApply
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Guides")
struct GuideTests {
  private static let parameters: [PredictorParameters] = PredictorParameters.Rule.allCases.flatMap { rule in
    PredictorParameters.Index.allCases.compactMap { index in
      PredictorParameters(rule, index, depth: 30, niceLength: 100, lazyLength: 60, goodLength: 10)
    }
  }

  /// Lines in which some words are repeated from close by, and some from far off.
  private static func text(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed)
    let names = (0..<300).map { _ in
      String((0..<12).map { _ in "abcdefghijklmnop".randomElement(using: &random) ?? "a" })
    }
    var lines: [[UInt8]] = []
    for number in 0..<count {
      if number > 0 && random.next() % 3 > 0 {
        lines.append(lines[number - 1 - Int(random.next() % 128) % number])
      } else {
        let name = names[Int(random.next() % 300)]
        lines.append(Array("\(name);\(random.next() % 100_000);\(names[Int(random.next() % 20)])\n".utf8))
      }
    }
    return Array(lines.joined())
  }

  /// What `GuidedDeflater` makes, with everything given at once.
  private static func made(_ guide: StreamGuide, _ content: [UInt8], size: Int) throws -> [UInt8] {
    let input = content.withUnsafeBufferPointer { guide.made(with: $0) }
    var deflater = GuidedDeflater()
    try deflater.reset(
      guide.parameters, guideSize: UInt64(guide.size), contentSize: UInt64(content.count))
    var made = [UInt8](repeating: 0, count: size + 1)
    var span = made.mutableSpan
    var output = span.mutableBytes
    let written = try deflater.deflate(input.span.bytes, into: &output).written
    return Array(made[..<written])
  }

  @Test("any stream is rebuilt from its content and its guide, whatever is predicted", arguments: parameters)
  func anyStream(parameters: PredictorParameters) throws {
    var encoder = GuideEncoder()
    for seed in [1, 2] as [UInt64] {
      var content = Self.text(300, seed: seed)
      // The window moves.
      if seed == 2 { content += [UInt8](repeating: 7, count: 70_000) + Self.text(300, seed: 3) }
      let stream = RandomDeflate.stream(content, seed: seed)
      let symbols = try #require(stream.withUnsafeBufferPointer { DeflateSymbols($0) })
      #expect(symbols.contentSize == content.count)
      let guide = try #require(
        content.withUnsafeBufferPointer { encoder.guide(of: symbols, content: $0, parameters, limit: .max) })
      #expect(guide.parts.count == (seed == 1 ? 1 : 2))
      #expect(try Self.made(guide, content, size: stream.count) == stream, "seed \(seed)")
      // The guide needs all of its bytes, and no more would do.
      let none = content.withUnsafeBufferPointer {
        encoder.guide(of: symbols, content: $0, parameters, limit: guide.parts.joined().count - 1)
      }
      #expect(none == nil)
    }
  }

  @Test("damaged streams have no symbols")
  func damaged() {
    let content = Self.text(100, seed: 9)
    let stream = RandomDeflate.stream(content, seed: 9)
    for count in stream.indices {
      #expect(Array(stream[..<count]).withUnsafeBufferPointer { DeflateSymbols($0) } == nil)
    }
    #expect((stream + [0]).withUnsafeBufferPointer { DeflateSymbols($0) } == nil)
  }

  /// A stream with parameters of zlib that are never tried.
  private static func packed(_ content: [UInt8], level: UInt8 = 7) throws -> [UInt8] {
    try deflated(content, #require(DeflateParameters(level: level, memLevel: 5, wrapper: .gzip)))
  }

  /// One old and one new stream that need a guide.
  private static func pair(_ lines: Int) throws -> (old: [UInt8], new: [UInt8]) {
    let content = text(lines, seed: 3)
    var changed = content
    for index in stride(from: 5000, to: changed.count, by: 9000) { changed[index] = 65 }
    changed.insert(contentsOf: text(20, seed: 4), at: 7000)
    return (try packed(content), try packed(changed))
  }

  @Test("a stream of another encoder is found with its guide, within its wrapper")
  func found() throws {
    let new = try Self.pair(4000).new
    let stream = try #require(foundStreams(new).first?.stream)
    let guide = try #require(stream.guide)
    #expect(stream.parameters == nil && stream.wrapper == .raw && stream.extents == [10..<new.count - 8])
    #expect(guide.size < stream.size / 5, "\(guide.size) of \(stream.size)")
    let sources = try foundStreams(new, for: .source).map(\.stream)
    #expect(sources.map(\.guide) == [nil] && sources.map(\.wrapper) == [.gzip])
  }

  @Test("what the program gzip makes can be rebuilt", arguments: ["-1", "-6", "-9"])
  func gzip(level: String) throws {
    let folder = try Scratch("gzip")
    try folder.write("file", Self.text(3000, seed: 5))
    let outcome = try ChildProcess.run("gzip", [level, "\(folder.path)/file"])
    try #require(outcome.status == 0, "\(outcome.error)")
    let stream = try #require(foundStreams(folder.read("file.gz")).first?.stream)
    #expect(stream.parameters != nil || stream.guide != nil)
  }

  @Test(
    "a patch rebuilds streams of another encoder, and applying resumes between them",
    arguments: [false, true])
  func patch(isSplit: Bool) throws {
    let (old, new) = try Self.pair(1500)
    // Together with a stream that zlib makes: the device takes turns.
    let other = try deflated(Self.text(700, seed: 8), #require(DeflateParameters(level: 6, wrapper: .zlib)))
    var random = SeededGenerator(1)
    let file =
      new + random.bytes(6000) + other + [8, 9] + (try Self.packed(Self.text(900, seed: 7), level: 9)) + [10]
    var options = PatchMaker.Options()
    options.matchings = Array(options.matchings.prefix(2))
    if isSplit {
      (options.blockSize, options.payloadSize) = (4096, 4096)
      (options.sectionSize, options.sectionOutput) = (1000, 1000)
    }
    let patch = try PatchMaker(options).make(old: old.span, new: file.span)
    #expect(patch.bytes.count < file.count * 9 / 10, "\(patch.bytes.count) of \(file.count)")
    var applier = MemoryApplier(old: old)
    applier.memoryLimit = patch.head.memoryNeeded
    #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == file)
    #expect(isSplit == !applier.points.isEmpty)
    for point in applier.points {
      let partial = Array(file[..<Int(point.completed)])
      let again = try applier.apply(
        patch.bytes, expectedHead: patch.headDigest, from: point, partial: partial)
      #expect(again == file, "from \(point.completed)")
    }
    #expect(try ReferenceApplier.apply(patch.bytes, to: old, head: patch.headDigest) == file)
  }

  @Test("a stream with a guide is patched, also if no device holds its old content")
  func largeContent() throws {
    var content = Self.text(60_000, seed: 6)
    while content.count <= DeflateLimits.window * 4 / 3 { content += content[..<200_000] }
    let old = try Self.packed(content)
    content.replaceSubrange(100_000..<100_010, with: Array("changed".utf8))
    let new = try Self.packed(content)
    let patch = try PatchMaker().make(old: old.span, new: new.span)
    #expect(patch.bytes.count < new.count / 4, "\(patch.bytes.count) of \(new.count)")
    var applier = MemoryApplier(old: old)
    #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == new)
  }

  @Test("a stream for which a guide would be too large stays as it is")
  func tooLarge() throws {
    // Neither matches nor codes can be predicted.
    let content = Self.text(3000, seed: 2)
    let stream = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3] + RandomDeflate.stream(content, seed: 2, stores: false)
    let found = stream.withUnsafeBufferPointer { file in
      content.withUnsafeBufferPointer { content in
        var search = GuideSearch()
        let all = Extents([0..<file.count], of: file)
        return search.find(
          content,
          of: WrappedStream(all: all, size: file.count + 8, header: 10, wrapper: .gzip))
      }
    }
    #expect(found == nil)
    let symbols = try #require(stream[10...].withUnsafeBufferPointer { DeflateSymbols($0) })
    var encoder = GuideEncoder()
    for parameters in Self.parameters {
      let guide = content.withUnsafeBufferPointer {
        encoder.guide(of: symbols, content: $0, parameters, limit: (stream.count - 10) * 3 / 4)
      }
      #expect(guide == nil)
    }
  }
}
