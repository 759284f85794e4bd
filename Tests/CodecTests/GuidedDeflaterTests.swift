import TestSupport
import Testing

@testable import Codec

/// Makes a stream with its input in pieces and its output in others.
///
/// - `guide`: its parts, each before its part of the content; sizes of fewer than 128 bytes.
private func guided(
  _ parameters: PredictorParameters, guide: [[UInt8]], content: [UInt8], piece: Int = .max, room: Int = 4096
) throws(CodecError) -> [UInt8] {
  var input: [UInt8] = []
  for (number, part) in guide.enumerated() {
    if number < guide.count - 1 { input.append(UInt8(part.count)) }
    let rest = content.dropFirst(number * Guide.partSize)
    input += part + (number < guide.count - 1 ? rest.prefix(Guide.partSize) : rest)
  }
  var deflater = GuidedDeflater()
  try deflater.reset(
    parameters, guideSize: UInt64(input.count - content.count), contentSize: UInt64(content.count))
  var space = [UInt8](repeating: 0, count: room)
  var (taken, made) = (0, [UInt8]())
  while !deflater.isFinished || taken < input.count {
    let end = input.count - taken > piece ? taken + piece : input.count
    var span = space.mutableSpan
    var output = span.mutableBytes
    let counts = try deflater.deflate(input.span.bytes.extracting(taken..<end), into: &output)
    taken += counts.read
    made += space[..<counts.written]
  }
  return made
}

/// The part of a guide for a fixed block that the predictions make, after that many bytes in stored blocks.
private func fixedGuide(_ content: [UInt8], _ parameters: PredictorParameters, stored: Int = 0) -> [UInt8] {
  var predictor = MatchPredictor()
  predictor.reset(parameters)
  var (taken, run, skippedSoFar) = (0, 0, 0)
  while true {
    taken += predictor.append(content.span.bytes.extracting(taken...))
    guard predictor.available > 0 else { break }
    let skipped = min(predictor.available, stored - skippedSoFar)
    if skipped > 0 {
      predictor.advance(by: skipped)
      skippedSoFar += skipped
      continue
    }
    predictor.advance(by: predictor.predict()?.length ?? 1)
    run += 1
  }
  let high = run < 1 << 14 ? [UInt8(run >> 7)] : [UInt8(run >> 7 & 0x7f) | 0x80, UInt8(run >> 14)]
  return run < 0x80 ? [3, UInt8(run), 1] : [3, UInt8(run & 0x7f) | 0x80] + high + [1]
}

private func words(_ count: Int) -> [UInt8] {
  var random = SeededGenerator(6)
  let words = (0..<400).map { _ in
    (0..<Int.random(in: 1...9, using: &random)).map { _ in UInt8(97 + random.next() % 26) }
  }
  var content: [UInt8] = []
  while content.count < count { content += words[Int(random.next() % 400)] + [32] }
  return content
}

@Suite("GuidedDeflater")
struct GuidedDeflaterTests {
  private static let all: [PredictorParameters] = PredictorParameters.Rule.allCases.flatMap { rule in
    PredictorParameters.Index.allCases.compactMap { index in
      PredictorParameters(rule, index, depth: 20, niceLength: 100, lazyLength: 60, goodLength: 10)
    }
  }

  @Test("nothing in an index grows with the content, which may have more than 2 GiB")
  func longContent() throws {
    var index = MatchIndex()
    index.reset(.four)
    let content = words(40_000)
    var (position, slid) = (0, 0)
    while slid < 40 * MatchIndex.capacity {
      _ = index.append(content.span.bytes)
      position = index.end - 300
      // What follows a whole copy of the content is found in the copy before.
      #expect(index.nearest(at: position, length: 8) ?? 0 <= content.count)
      let step = index.slide(position)
      position -= step
      slid += step
      #expect((0..<MatchIndex.reach).contains(index.base))
      #expect(index.end <= MatchIndex.capacity)
      // As it was when `base` counted all bytes.
      #expect(index.base == slid % MatchIndex.reach)
    }
  }

  @Test("predictions alone make a stream of the content, however both are cut", arguments: all)
  func predictions(parameters: PredictorParameters) throws {
    // The window moves three times.
    let content = words(100_000)
    // All predictions are of one run; what ends it is for the last symbol.
    let whole = fixedGuide(content, parameters)
    let guide = [whole.dropLast(), [1]].map(Array.init)
    let stream = try guided(parameters, guide: guide, content: content)
    #expect(stream.count < content.count / 2)
    for (piece, room) in [(1, 4096), (777, 1), (16_384, 100), (70_000, 5)] {
      #expect(try guided(parameters, guide: guide, content: content, piece: piece, room: room) == stream)
    }
    try Self.expect(content, from: stream)
  }

  private static func expect(_ content: [UInt8], from stream: [UInt8]) throws {
    var inflater = try Inflater(.raw)
    var made = [UInt8](repeating: 0, count: content.count + 1)
    var span = made.mutableSpan
    var room = span.mutableBytes
    let counts = try inflater.inflate(stream.span.bytes, into: &room)
    #expect(inflater.isFinished && counts == CodedBytes(read: stream.count, written: content.count))
    #expect(made.dropLast() == content[...])
  }

  @Test("what stored blocks have can be matched afterwards, however long they are", arguments: all)
  func stored(parameters: PredictorParameters) throws {
    let content = words(140_000)
    let guide: [[UInt8]] = [
      [0, 255, 255], [0, 255, 255], fixedGuide(content, parameters, stored: 2 * 65_535),
    ]
    let stream = try guided(parameters, guide: guide, content: content)
    // The block that is not stored is compressed.
    #expect(stream.count < 2 * 65_535 + 6000)
    #expect(try guided(parameters, guide: guide, content: content, piece: 30_000, room: 99) == stream)
    try Self.expect(content, from: stream)
  }

  private static let text = Array("the same words again and again, and again the same words".utf8)
  private static let usual = all[0]
  /// A guide of `text`.
  struct Bad: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let guide: [UInt8]
    var error = CodecError.corrupt
  }

  @Test(
    "a guide that contradicts itself, or the content",
    arguments: [
      Bad(testDescription: "an unknown type of block", guide: [7]),
      Bad(testDescription: "a larger header", guide: [11]),
      Bad(testDescription: "a guide that ends in a header", guide: [1, 5], error: .truncated),
      Bad(testDescription: "a guide without symbols", guide: [3], error: .truncated),
      Bad(testDescription: "a guide without a correction", guide: [3, 2], error: .truncated),
      Bad(testDescription: "a guide without a last block", guide: [2, 0, 1], error: .truncated),
      Bad(testDescription: "a guide that ends in a match", guide: [3, 0, 2, 0, 0], error: .truncated),
      Bad(testDescription: "a guide that ends before the content", guide: [3, 4, 1]),
      Bad(testDescription: "a guide with trailing bytes", guide: [1, UInt8(text.count), 0, 0]),
      Bad(testDescription: "a stored block beyond the content", guide: [1, 255, 255], error: .truncated),
      Bad(testDescription: "predictions beyond the content", guide: [3, 0x80, 1, 1], error: .truncated),
      Bad(testDescription: "a number not in its shortest form", guide: [3, 0x80, 0, 1]),
      Bad(testDescription: "a number of five bytes", guide: [3, 0x80, 0x80, 0x80, 0x80, 1]),
      Bad(
        testDescription: "a literal beyond the content", guide: [0, UInt8(text.count), 0, 3, 0, 0],
        error: .truncated),
      Bad(testDescription: "a match beyond the content", guide: [3, 0, 2, 255, 0, 0]),
      Bad(testDescription: "a match longer than any", guide: [3, 0, 2, 0xff, 0, 0]),
      Bad(testDescription: "a distance larger than any", guide: [3, 0, 2, 0, 0, 0x80]),
      Bad(testDescription: "a match that is not near", guide: [3, 0, 3, 0, 1]),
      Bad(testDescription: "a near match beyond the content", guide: [3, 0, 255]),
      Bad(testDescription: "too many codes for literals", guide: [5, 32, 0, 0]),
      Bad(testDescription: "too many codes for distances", guide: [5, 0, 32, 0]),
      Bad(testDescription: "too many codes for code lengths", guide: [5, 0, 0, 16]),
      Bad(testDescription: "a long code for code lengths", guide: [5, 0, 0, 0, 8, 0, 0, 0]),
      Bad(testDescription: "an over-subscribed code for code lengths", guide: [5, 0, 0, 0, 1, 1, 1, 0]),
      Bad(testDescription: "a code length without a code", guide: [5, 0, 0, 0, 1, 1, 0, 0, 5]),
      Bad(testDescription: "a repeat of no code length", guide: [5, 0, 0, 0, 1, 1, 0, 0, 16]),
      Bad(testDescription: "an unknown repeat", guide: [5, 0, 0, 0, 1, 1, 0, 0, 156]),
      Bad(testDescription: "repeats beyond the last code", guide: [5, 0, 0, 0, 0, 0, 1, 0, 155, 155]),
      Bad(testDescription: "a literal without a code", guide: [5, 0, 0, 0, 0, 0, 1, 0, 155, 28 + 109, 0, 0]),
    ])
  func bad(bad: Bad) {
    #expect(throws: bad.error) { _ = try guided(Self.usual, guide: [bad.guide], content: Self.text) }
  }

  @Test(
    "parts that are not for their symbols",
    arguments: [
      ([[3], [0x70, 4, 1]], .truncated), ([[3, 0x70, 4, 1], []], .corrupt),
      ([[3, 0x70, 4], []], .truncated),
      ([[], [3, 0x70, 4, 1]], .truncated), ([[3, 0x70, 4], [1, 0]], .corrupt),
    ] as [([[UInt8]], CodecError)])
  func parts(guide: [[UInt8]], error: CodecError) throws {
    // 70,000 times the same byte: a literal, 271 matches of 258 bytes and one of 81.
    let content = [UInt8](repeating: 7, count: 70_000)
    let right = [[3, 0x91, 2], [1]] as [[UInt8]]
    #expect(try guided(Self.usual, guide: right, content: content).count < 1000)
    var changed = guide
    for index in changed.indices {
      if let run = changed[index].firstIndex(of: 0x70) {
        changed[index].replaceSubrange(run...run + 1, with: [0x91, 2])
      }
    }
    #expect(throws: error) { _ = try guided(Self.usual, guide: changed, content: content) }
  }

  @Test("a part that is larger than allowed, or than the guide, or not of a size in its shortest form")
  func partSizes() throws {
    let content = [UInt8](repeating: 7, count: 70_000)
    for size in [[0x81, 0x80, 4], [0x7f], [0x80, 0], [0x80, 0x80, 0x80, 0x80, 1]] as [[UInt8]] {
      var deflater = GuidedDeflater()
      try deflater.reset(Self.usual, guideSize: 100, contentSize: UInt64(content.count))
      var space = [UInt8](repeating: 0, count: 100)
      var span = space.mutableSpan
      var output = span.mutableBytes
      do throws(CodecError) {
        _ = try deflater.deflate((size + content).span.bytes, into: &output)
        Issue.record("\(size)")
      } catch { #expect(error == .corrupt) }
    }
    var deflater = GuidedDeflater()
    #expect(throws: CodecError.corrupt) {
      try deflater.reset(Self.usual, guideSize: UInt64(Guide.maximumPart) + 1, contentSize: 1)
    }
  }

  @Test("any changed byte of a guide makes another stream, or none, of a bounded size")
  func flips() throws {
    let content = Array("sss".utf8) + Self.text
    let guide: [UInt8] =
      [0, 2, 0, 2, 1, 0, 0, 2, 2, 0, 15, 0, 1, 3, 0] + Array(fixedGuide(Self.text, Self.usual).dropFirst())
    for index in guide.indices {
      for value in 0...255 as ClosedRange<UInt8> {
        var changed = guide
        changed[index] = value
        guard let made = try? guided(Self.usual, guide: [changed], content: content) else { continue }
        #expect(made.count <= 20 * (content.count + guide.count))
      }
    }
  }

  @Test("it takes no more memory than zlib's largest deflater, with which it takes turns")
  func memory() {
    #expect(GuidedDeflater.memoryNeeded <= Deflater.maximumMemory)
  }
}

@Suite("PredictorParameters")
struct PredictorParametersTests {
  @Test("parameters are parsed again, and no prefix of them is")
  func encoded() throws {
    let parameters = try #require(
      PredictorParameters(
        .cheaperTwice, .fourAndThree, leastLength: 5, depth: 4096, niceLength: 258, lazyLength: 3,
        goodLength: 77))
    let bytes = parameters.encoded()
    #expect(bytes == [0x30, 0x25, 0x00, 0x10, 255, 0, 74] && bytes.count == PredictorParameters.encodedSize)
    let parsed = PredictorParameters(parsing: bytes.span)
    #expect(parsed == parameters)
    for count in bytes.indices {
      let prefix = PredictorParameters(parsing: bytes.span.extracting(..<count))
      #expect(prefix == nil)
    }
  }

  @Test(
    "bytes out of bounds are refused",
    arguments: [
      (0, 0x31), (0, 0x40), (1, 0x35), (1, 0x22), (2, 0x01), (3, 0x11), (4, 256), (5, 256),
    ])
  func bounds(index: Int, value: Int) {
    var bytes: [UInt8] = [0x30, 0x25, 0x00, 0x10, 255, 0, 74]
    bytes[index] = UInt8(truncatingIfNeeded: value)
    // 256 in a byte is 0, which is in bounds.
    let parsed = PredictorParameters(parsing: bytes.span)
    #expect((parsed == nil) == (value < 256))
  }
}
