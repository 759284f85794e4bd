import DeltaApply
import DeltaTestSupport
import PatchFormat

extension CraftedPatch {
  /// The old file of most crafted patches: every byte is its offset.
  static let old = Array(0..<100 as Range<UInt8>)

  /// One section from the beginning.
  static func one(_ blocks: [UInt8], newSize: Int = 10) -> CraftedPatch {
    CraftedPatch(oldSize: 100, newSize: UInt64(newSize), sections: [.init(completed: 0, blocks: blocks)])
  }

  /// Two sections; the second one claims to begin at `completed`.
  static func two(_ first: [UInt8], _ second: [UInt8], at completed: UInt64, newSize: UInt64) -> CraftedPatch
  {
    CraftedPatch(
      oldSize: 100, newSize: newSize,
      sections: [.init(completed: 0, blocks: first), .init(completed: completed, blocks: second)])
  }

  /// What it makes, handed over in pieces of `piece` bytes.
  func apply(to old: [UInt8] = CraftedPatch.old, piece: Int = 1000) throws -> [UInt8] {
    let patch = try build()
    var applier = MemoryApplier(old: oldSize == 0 ? [] : old)
    applier.piece = piece
    return try applier.apply(patch.bytes, expectedHead: patch.head)
  }

  /// Declares that sections may be sorted.
  mutating func allowSorted() {
    shape = .init(
      dictionarySize: shape.dictionarySize, hasSortedSections: true, maximumPayload: shape.maximumPayload,
      maximumBlock: shape.maximumBlock)
  }

  /// The same, with room for blocks as large as the format allows.
  mutating func allowLargeBlocks() {
    shape = .init(dictionarySize: 1 << 20, maximumPayload: 64 << 10, maximumBlock: 4 << 20)
    payloadSize = 64 << 10
  }
}

/// A signed step, as it is written.
func step(_ distance: Int) -> UInt64 { Varint.zigzag(Int64(distance)) }

/// The bytes of doubles, as in a file.
func bytes(of doubles: [Double]) -> [UInt8] {
  doubles.flatMap { double in (0..<8).map { UInt8(truncatingIfNeeded: double.bitPattern >> (8 * $0)) } }
}

extension PatchOperation {
  static func numbers(
    _ decimals: Int, stride: Int = 1, base: NumberCoding.Base = .history
  ) -> PatchOperation {
    .numbers(NumberCoding(decimals: decimals, stride: stride, base: base))
  }
}
