import Codec
import Crypto
import DeltaApply
import DeltaCreate
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import Publisher

@Suite("Contents of a patch")
struct PatchContentsTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("contents") }

  private func contents(of bytes: [UInt8]) throws -> PatchContents {
    let path = "\(scratch.path)/patch"
    try scratch.write("patch", bytes)
    return try PatchContents(of: path)
  }

  @Test(
    "operations and literals add up to the new file, in one section or in many",
    arguments: FilePair.pairs(seed: 5, size: 6000), [1 << 20, 700])
  func sums(pair: FilePair, sectionOutput: Int) throws {
    var options = PatchMaker.Options()
    options.sectionOutput = sectionOutput
    options.payloadSize = 300
    let contents = try contents(of: PatchMaker(options).make(old: pair.old.span, new: pair.new.span).bytes)
    let literals = contents.columns[BlockColumn.literals.rawValue].size
    let made = contents.operations.reduce(literals) { $0 + $1.bytes }
    #expect(made == UInt64(pair.new.count))
    #expect((contents.blocks == 0) == pair.new.isEmpty)
    for column in contents.columns { #expect((column.size == 0) == (column.packedSize == 0)) }
  }

  @Test("operations are counted by kind, and each column by its bytes")
  func kinds() throws {
    let block = craftBlock(
      operations: [0, 1, 7, 2, 4], copies: [3, 0, 10, 0, 2, 5, 1, 4, 4, 0, 0, 2, 0, 6], runs: [4, 2],
      differences: [1, 1], numbers: [2, 4, 6, 8, 10, 12], literals: [1, 2, 3, 9])
    let patch = CraftedPatch(
      oldSize: 100, newSize: 90, sections: [CraftedPatch.Section(completed: 0, blocks: block + block)])
    let contents = try contents(of: patch.build().bytes)
    #expect(contents.blocks == 2)
    #expect(contents.columns.map(\.size) == [10, 28, 4, 4, 12, 0, 8])
    #expect(contents.operations.map(\.count) == [4, 2, 2, 0, 2])
    #expect(contents.operations.map(\.bytes) == [28, 10, 32, 0, 96])
  }

  @Test("streams are counted that are rebuilt from the old file or without, over all blocks and sections")
  func streams() throws {
    var random = SeededGenerator(6)
    var options = PatchMaker.Options()
    options.blockSize = 512
    options.sectionSize = 1000
    let usual = try #require(DeflateParameters(level: 6, wrapper: .zlib))
    // Each over several blocks, between bytes that belong to none, and some in two extents.
    let contents = (0..<8).map { random.bytes(1500 + 10 * $0, values: 20) }
    let changed = contents.map { Array($0.dropLast()) + [99] }
    let more = (0..<3).map { random.bytes(900 + 20 * $0, values: 20) }
    let old = try contents.flatMap { try deflated($0, usual) }
    let streams = try changed.map { try deflated($0, usual) }
    let moreStreams = try more.map { try deflated($0, usual) }
    let pictures: [UInt8] = streams.flatMap { random.bytes(700) + picture($0, chunks: 2) }
    let new: [UInt8] = pictures + moreStreams.flatMap { $0 + [4] }
    let patch = try PatchMaker(options).make(old: old.span, new: new.span)
    let found = try self.contents(of: patch.bytes)
    #expect(found.streamsFromOld.count == 8 && found.streamsWithoutOld.count == 3)
    #expect(found.streamsFromOld.bytes == UInt64(streams.joined().count))
    #expect(found.streamsFromOld.contentBytes == UInt64(changed.joined().count))
    #expect(found.streamsWithoutOld.bytes == UInt64(moreStreams.joined().count))
    #expect(found.streamsWithoutOld.contentBytes == UInt64(more.joined().count))
    #expect(found.blocks > 5)
    let inspection = try PatchInspection(of: "\(scratch.path)/patch")
    #expect(inspection.sections > 1)
  }

  @Test(
    "streams that contradict themselves are refused",
    arguments: [
      // Gap, parameters, content, destinations, sources.
      (0, [0, 0xf6, 8, 0, 4, 1, 0, 4, 0], 0), (4, [4, 0xf6, 8, 0, 4, 1, 0, 4, 0], 0),
      (4, [0, 0xf6, 8, 0, 4, 1, 0, 5, 0], 0), (4, [0, 0xf6, 8, 0, 0, 1, 0, 4, 0], 0),
      // More than any file has.
      (4, [0, 0xf6, 8, 0, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 1, 0, 4, 0], 0),
      (4, [0, 0xf6, 8, 0, 4, 1, 0, 4], 0),
      (4, [0, 0xf6, 8, 0, 4, 2, 0, 2, 3, 2, 0], 0), (4, [0, 0xf6, 8, 0, 4, 1, 0, 4, 1, 0, 0, 101], 0),
      (4, [0, 0xf6, 8, 0, 4, 1, 0, 4, 0, 0], 4),
    ] as [(maximumContent: UInt32, targets: [UInt8], position: UInt64)])
  func contradictoryStreams(maximumContent: UInt32, targets: [UInt8], position: UInt64) throws {
    func refusal(_ maximumContent: UInt32, _ targets: [UInt8]) throws -> InspectionError? {
      var patch = CraftedPatch(
        oldSize: 100, newSize: 4,
        sections: [
          CraftedPatch.Section(completed: 0, blocks: craftBlock(targets: targets, literals: [1, 2, 3, 4]))
        ])
      patch.shape = PatchHead.Shape(
        dictionarySize: 4096, maximumPayload: 50, maximumBlock: 4096, maximumContent: maximumContent)
      try scratch.write("patch", patch.build().bytes)
      do throws(PublisherError) { _ = try PatchContents(of: "\(scratch.path)/patch") } catch {
        guard case .inspection(let error) = error else { throw error }
        return error
      }
      return nil
    }
    #expect(try refusal(4, [0, 0xf6, 8, 0, 4, 1, 0, 4, 1, 0, 0, 100]) == nil)
    #expect(
      try refusal(maximumContent, targets)
        == .damagedPatch(path: "\(scratch.path)/patch", .badBlock(at: position)))
  }

  @Test(
    "blocks that contradict themselves are refused",
    arguments: [
      [0], [200], [5, 1], craftBlock(copies: [0]), craftBlock(copies: [0, 0, 0]),
      craftBlock(operations: [0, 0], copies: [0, 0, 4]), craftBlock(operations: [255], copies: [0, 0, 4]),
      craftBlock(copies: [0, 0, 4]) + [9],
    ] as [[UInt8]])
  func contradictory(blocks: [UInt8]) throws {
    let patch = CraftedPatch(
      oldSize: 100, newSize: 4, sections: [CraftedPatch.Section(completed: 0, blocks: blocks)])
    let path = "\(scratch.path)/patch"
    try scratch.write("patch", patch.build().bytes)
    do throws(PublisherError) {
      _ = try PatchContents(of: path)
      Issue.record("\(blocks) was accepted")
    } catch {
      guard case .inspection(.damagedPatch) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test(
    "sorted sections are read, and a frame within one cannot say that it is sorted", arguments: [false, true])
  func sorted(isMarkedTwice: Bool) throws {
    var random = SeededGenerator(2)
    let block = craftBlock(literals: random.bytes(200))
    var patch = CraftedPatch(
      oldSize: 100, newSize: 200, sections: [.init(completed: 0, blocks: block, isSorted: true)])
    patch.shape = PatchHead.Shape(
      dictionarySize: 0, hasSortedSections: true, maximumPayload: 50, maximumBlock: 4096)
    patch.changeHeader = { header, _, frame in
      FrameHeader(
        payloadSize: header.payloadSize, start: header.start,
        isSorted: header.isSorted || isMarkedTwice && frame == 1, next: header.next)
    }
    let path = "\(scratch.path)/patch"
    try scratch.write("patch", patch.build().bytes)
    do throws(PublisherError) {
      let contents = try PatchContents(of: path)
      #expect(!isMarkedTwice && contents.columns.map(\.size).reduce(0, +) == 200)
    } catch {
      #expect(isMarkedTwice, "\(error)")
      guard case .inspection(.damagedPatch(path, .badSection(at: 0))) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test("counts beyond all bounds are added up without overflow")
  func large() throws {
    let block = craftBlock(operations: [2, 0], copies: [0, 0, 1 << 62, 0, 0, 1 << 62], literals: [1])
    let patch = CraftedPatch(
      oldSize: 100, newSize: 4,
      sections: [CraftedPatch.Section(completed: 0, blocks: block + block + block + block)])
    let contents = try contents(of: patch.build().bytes)
    #expect(contents.operations.map(\.bytes) == [.max, 0, .max, 0, 0])
  }
}
