import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import Codec
@testable import DeltaCreate

@Suite("StreamFigures")
struct StreamFiguresTests {
  private typealias Tally = StreamFigures.Tally

  private var random = SeededGenerator(51)
  private var options = PatchMaker.Options()
  private let usual: DeflateParameters

  init() throws {
    usual = try #require(DeflateParameters(level: 6, wrapper: .zlib))
    options.matchings = Array(options.matchings.prefix(2))
  }

  private func patch(_ old: [UInt8], _ new: [UInt8], memory: Int = .max) throws -> EncodedPatch {
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        try PatchMaker(options).pack(
          old: old, new: new, plan: .choose(old: old.count, new: new.count, limit: memory))
      }
    }
  }

  /// The figures of the patch from `old` to `new`.
  private func figures(_ old: [UInt8], _ new: [UInt8], memory: Int = .max) throws -> StreamFigures {
    try patch(old, new, memory: memory).streams
  }

  /// Every stream has one outcome; those that are not named have none.
  private func expect(
    _ figures: StreamFigures, _ expected: [StreamFigures.Outcome: [[UInt8]]],
    location: SourceLocation = #_sourceLocation
  ) {
    for outcome in StreamFigures.Outcome.allCases {
      let streams = expected[outcome] ?? []
      let tally = Tally(count: streams.count, bytes: streams.joined().count)
      #expect(figures[outcome] == tally, "\(outcome)", sourceLocation: location)
    }
    let all = expected.values.joined()
    #expect(figures.found == Tally(count: all.count, bytes: all.joined().count), sourceLocation: location)
  }

  @Test("streams are copied, or rebuilt from an old one, or without one")
  mutating func rebuilt() throws {
    let contents = (0..<3).map { _ in random.bytes(2000, values: 20) }
    let streams = try contents.map { try deflated($0, usual) }
    let changed = try deflated(contents[1].dropLast() + [99], usual)
    let made = try figures(streams[0] + streams[1], streams[0] + changed + streams[2])
    expect(
      made, [.copied: [streams[0]], .rebuiltFromOld: [changed], .rebuiltWithoutOld: [streams[2]]])
    #expect(made.unsearched == 0)
    expect(try figures([], streams[2]), [.rebuiltWithoutOld: [streams[2]]])
  }

  @Test(
    "a stream whose gzip header zlib does not write is copied from where it is the same", arguments: [0, 13])
  mutating func foreignHeader(time: UInt8) throws {
    let gzip = try #require(DeflateParameters(level: 6, wrapper: .gzip))
    let contents = (0..<2).map { _ in random.bytes(2000, values: 20) }
    // Made on macOS.
    let streams = try (contents + [contents[1].dropLast() + [99]]).map { content in
      var stream = try deflated(content, gzip)
      stream[9] = 19
      return stream
    }
    var same = streams[0]
    same[4] = time
    let bodies = streams.map { Array($0[10..<$0.count - 8]) }
    expect(
      try figures(streams[0] + streams[1], same + streams[2]),
      [.copied: [bodies[0]], .rebuiltFromOld: [bodies[2]]])
  }

  @Test("a stream with too much content is not rebuilt, but copied from where it is the same")
  func contentTooLarge() throws {
    var content = [UInt8](repeating: 7, count: DeflateLimits.maximumContent + 1)
    let same = try deflated(content, usual)
    content[5] = 8
    let old = try deflated(content, usual)
    content[5] = 9
    let new = try deflated(content, usual)
    expect(try figures(same + old, new + same), [.contentTooLarge: [new], .copied: [same]])
  }

  @Test("a stream that zlib does not make is rebuilt with a guide")
  mutating func guide() throws {
    let other = try #require(DeflateParameters(level: 6, memLevel: 5, wrapper: .gzip))
    let content = random.bytes(3000, values: 20)
    let old = try deflated(content, other)
    let new = try deflated([99] + content, other)
    // The wrapper is not part of the stream.
    expect(try figures(old, new), [.rebuiltWithGuide: [Array(new[10..<new.count - 8])]])
  }

  @Test("a stream that cannot be made is not rebuilt, but copied from where it is the same")
  mutating func otherEncoder() throws {
    let contents = (0..<3).map { _ in random.bytes(450, values: 20) }
    let streams = contents.map(storedStream)
    let changed = storedStream(contents[1].dropLast() + [99])
    expect(
      try figures(streams[0] + streams[1], streams[0] + changed + streams[2]),
      [.copied: [streams[0]], .otherEncoder: [changed, streams[2]]])
  }

  @Test("a stream in more pieces than the format can encode is not rebuilt")
  mutating func tooManyExtents() throws {
    let content = random.bytes(6000, values: 20)
    let old = try deflated(content, usual)
    let new = try deflated(content.dropLast() + [99], usual)
    expect(
      try figures(picture(old, chunks: 2), picture(new, chunks: 1025)), [.tooManyExtents: [new]])
    expect(
      try figures(picture(old, chunks: 2), picture(new, chunks: 1024)), [.rebuiltFromOld: [new]])
  }

  @Test("nothing else is tried if the patch is smaller than the streams that it rebuilds from old ones")
  mutating func nothingElse() throws {
    let content = random.bytes(6000, values: 20)
    let old = try deflated(content, usual)
    let new = try deflated(content.dropLast() + [99], usual)
    let trials = try patch(old, new).trials
    #expect(trials.map(\.verdict) == [.rejected(.farAboveBest), .taken])
    #expect(trials.map(\.origin) == [.matched(0, numbers: false), .streams])
    #expect(trials[0].size == new.count)
    // Of an old file without streams, nothing is known.
    #expect(try patch(random.bytes(3000), new).trials.count > 2)
  }

  @Test("no stream counts as rebuilt if the patch is smaller without")
  mutating func notSmaller() throws {
    let content = random.bytes(6000, values: 20)
    let new = try deflated(content, usual)
    // No stream, for its checksum is wrong; its bytes are almost those of the new one.
    var old = new
    old[old.count - 1] ^= 1
    expect(try figures(old, new), [.notSmaller: [new]])
  }

  @Test("streams are searched for with a mebibyte, too")
  mutating func leastMemory() throws {
    let old = try deflated(random.bytes(2000, values: 20), usual)
    let new = try deflated(random.bytes(3000, values: 20), usual)
    let made = try figures(old, new, memory: 1 << 20)
    #expect(made.unsearched == 0 && made.found == Tally(count: 1, bytes: new.count))
  }

  @Test("figures of several files add up")
  mutating func sum() throws {
    let stored = storedStream(random.bytes(450, values: 20))
    let stream = try deflated(random.bytes(2000, values: 20), usual)
    let one = try figures([], stored)
    let other = try figures([], stored + stream)
    let third = StreamFigures(unsearched: 7)
    expect(one + other + third, [.otherEncoder: [stored, stored], .rebuiltWithoutOld: [stream]])
    #expect((third + one + third).unsearched == 14)
  }
}
