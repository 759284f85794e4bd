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
