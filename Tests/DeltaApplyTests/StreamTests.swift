import Codec
import DeltaApply
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

/// Each case of deflate streams by itself; `RandomStreamTests` has them in all combinations.
@Suite("Streams")
struct StreamTests {
  private static let content = Array("the same words again and again, and again the same words".utf8)

  /// Every wrapper with every strategy, and levels and windows from end to end.
  static let parameters: [DeflateParameters] = {
    var all: [DeflateParameters?] = []
    for wrapper in DeflateParameters.Wrapper.allCases {
      for strategy in DeflateParameters.Strategy.allCases {
        all.append(DeflateParameters(level: 6, strategy: strategy, wrapper: wrapper))
      }
      for level in 1...9 as ClosedRange<UInt8> {
        all.append(DeflateParameters(level: level, windowBits: 9, memLevel: level, wrapper: wrapper))
      }
    }
    return all.compactMap { $0 }
  }()

  @Test("a stream is rebuilt from its content, with all parameters", arguments: parameters)
  func packed(parameters: DeflateParameters) throws {
    let stream = try deflated(Self.content, parameters)
    let target = CraftedTarget(
      gap: 2, parameters: parameters.encoded(), contentSize: Self.content.count,
      destinations: [[0, stream.count]])
    let block = craftBlock(targets: target.encoded, literals: [1, 2] + Self.content + [3])
    let patch = CraftedPatch.streams(block, old: 0, new: stream.count + 3)
    #expect(try patch.apply() == [1, 2] + stream + [3])
  }

  @Test(
    "a stream is rebuilt from an old one in another wrapper, whose extents are not in order",
    arguments: DeflateParameters.Wrapper.allCases, DeflateParameters.Wrapper.allCases)
  func source(oldWrapper: DeflateParameters.Wrapper, wrapper: DeflateParameters.Wrapper) throws {
    let source = try deflated(Self.content, CraftedTarget.parameters(oldWrapper))
    // The second half precedes the first one.
    let half = source.count / 2
    let old = [9, 9] + source[half...] + [8] + source[..<half] + [7]
    var content = Self.content
    content[10] &+= 1
    let stream = try deflated(content, CraftedTarget.parameters(wrapper, level: 9))
    let rest = source.count - half
    let target = CraftedTarget(
      parameters: CraftedTarget.parameters(wrapper, level: 9).encoded(), contentSize: content.count,
      // The last byte of the stream comes first in the file, then a byte that is in no stream.
      destinations: CraftedTarget.steps([2..<stream.count + 1, 0..<1], from: 0), wrapper: oldWrapper.rawValue,
      sources: CraftedTarget.steps([3 + rest..<3 + rest + half, 2..<2 + rest], from: 0))
    let block = craftBlock(
      copies: [0, 0, UInt64(content.count)], runs: [10, 1], differences: [1], targets: target.encoded,
      literals: [5])
    let patch = CraftedPatch.streams(block, old: old.count, new: stream.count + 1)
    #expect(try patch.apply(to: old) == [stream[stream.count - 1], 5] + stream.dropLast())
  }

  @Test("cursors begin at the old content's first byte inside a stream, and resume outside of it")
  func cursors() throws {
    let source = try deflated(Self.content, CraftedTarget.usual)
    let old = CraftedPatch.old + source
    let content = Array(Self.content[4..<8] + Self.content[20..<24])
    let stream = try deflated(content, CraftedTarget.usual)
    let target = CraftedTarget(
      gap: 10, contentSize: 8, destinations: [[0, stream.count]], sources: [[100, source.count]])
    let block = craftBlock(
      copies: [0, step(50), 10, 0, step(4), 4, 0, step(12), 4, 0, step(5), 3], targets: target.encoded)
    let patch = CraftedPatch.streams(block, old: old.count, new: stream.count + 13)
    #expect(try patch.apply(to: old) == Array(50..<60) + stream + [65, 66, 67])
  }

  @Test("an extent of a stream that was skipped can be read back")
  func readBack() throws {
    let stream = try deflated(Self.content, CraftedTarget.usual)
    let target = CraftedTarget(contentSize: Self.content.count, destinations: [[0, stream.count]])
    let block = craftBlock(
      operations: [1], copies: [UInt64(Self.content.count), 0, UInt64(stream.count)], targets: target.encoded,
      literals: Self.content)
    let patch = CraftedPatch.streams(block, old: 0, new: 2 * stream.count)
    #expect(try patch.apply() == stream + stream)
  }

  @Test("a content may be longer than the new file, and be gone along backwards")
  func longContent() throws {
    let source = try deflated([UInt8](repeating: 7, count: 4096), CraftedTarget.usual)
    let target = CraftedTarget(
      contentSize: 4096, destinations: [[0, source.count]], sources: [[0, source.count]])
    let block = craftBlock(
      operations: [PatchOperation.copyOldReversed(unit: 1).byte], copies: [0, step(4088), 512],
      targets: target.encoded)
    #expect(try CraftedPatch.streams(block, old: source.count, new: source.count).apply(to: source) == source)
  }

  @Test("an old content may be as large as the head says, if that is less than a window", arguments: [0, 1])
  func largest(over: Int) throws {
    var random = SeededGenerator(4)
    let content = random.bytes(5000, values: 50)
    let source = try deflated(content, CraftedTarget.usual)
    let stream = try deflated(content.reversed(), CraftedTarget.usual)
    let target = CraftedTarget(
      contentSize: content.count, destinations: [[0, stream.count]], sources: [[0, source.count]])
    let block = craftBlock(targets: target.encoded, literals: content.reversed())
    let patch = CraftedPatch.streams(
      block, old: source.count, new: stream.count, content: content.count - over)
    if over == 0 {
      #expect(try patch.apply(to: source) == stream)
    } else {
      #expect(throws: DeltaError.codec(.corrupt)) { _ = try patch.apply(to: source) }
    }
  }

  /// A stream in that many destinations of one byte each, with another byte before each of them.
  private static func scattered(_ destinations: Int, before: Int) throws -> (
    target: [UInt8], content: [UInt8], new: [UInt8]
  ) {
    var random = SeededGenerator(5)
    var content = random.bytes(destinations, values: 200)
    var stream = try deflated(content, CraftedTarget.usual)
    while stream.count < destinations {
      content += random.bytes(16)
      stream = try deflated(content, CraftedTarget.usual)
    }
    var new = [UInt8](repeating: 1, count: before)
    for byte in stream.prefix(destinations) { new += [1, byte] }
    var steps = [[Int]](repeating: [1, 1], count: destinations)
    steps[destinations - 1][1] += stream.count - destinations
    new += stream.dropFirst(destinations)
    let target = CraftedTarget(gap: before, contentSize: content.count, destinations: steps)
    return (target.encoded, content, new)
  }

  @Test("4,096 extents may be reserved at a time, and no more", arguments: [4095, 4096, 4097])
  func manyDestinations(count: Int) throws {
    let (target, content, new) = try Self.scattered(count, before: 3)
    let ones = [UInt8](repeating: 1, count: count)
    let block = craftBlock(targets: target, literals: [1, 1, 1] + content + ones)
    let patch = CraftedPatch.streams(block, old: 0, new: new.count, content: 8192)
    if count <= 4096 {
      #expect(try patch.apply() == new)
    } else {
      #expect(throws: DeltaError.badBlock(at: 3)) { _ = try patch.apply() }
    }
  }

  @Test("reserved extents of several streams are counted together")
  func manyStreams() throws {
    let (first, content, front) = try Self.scattered(4000, before: 0)
    for (destinations, isTaken) in [(96, true), (97, false)] {
      // The first byte after the first stream; the last destination of the second stream takes the rest.
      let (_, more, back) = try Self.scattered(destinations, before: 0)
      var target = CraftedTarget(
        contentSize: more.count, destinations: [[Int]](repeating: [1, 1], count: destinations))
      target.destinations[0][0] = front.count + 1
      target.destinations[destinations - 1][1] = back.count - 2 * destinations + 1
      let ones = [UInt8](repeating: 1, count: 4000 + destinations)
      let block = craftBlock(targets: first + target.encoded, literals: content + more + ones)
      let patch = CraftedPatch.streams(block, old: 0, new: front.count + back.count, content: 8192)
      if isTaken {
        #expect(try patch.apply() == front + back)
      } else {
        #expect(throws: DeltaError.badBlock(at: 0)) { _ = try patch.apply() }
      }
    }
  }
}
