import Codec
import DeltaApply
import DeltaTestSupport
import PatchFormat

/// A deflate stream in a block, each number as it is written.
struct CraftedTarget: Sendable {
  /// The bytes outside streams before it, from the start of the block or the end of the last stream.
  var gap = 0
  var parameters: [UInt8] = usual.encoded()
  var contentSize: Int
  /// Deltas from the end of the last destination, and sizes.
  var destinations: [[Int]]
  var wrapper = usual.wrapper.rawValue
  /// The same of the old stream; empty: there is no old stream.
  var sources: [[Int]] = []

  /// What most programs use.
  static let usual = parameters(.zlib)

  static func parameters(_ wrapper: DeflateParameters.Wrapper, level: UInt8 = 6) -> DeflateParameters {
    guard let parameters = DeflateParameters(level: level, wrapper: wrapper) else { fatalError("known") }
    return parameters
  }

  /// Extents of a file as deltas and sizes, the first delta from `position`.
  static func steps(_ extents: [Range<Int>], from position: Int) -> [[Int]] {
    var end = position
    return extents.map { extent in
      defer { end = extent.upperBound }
      return [extent.lowerBound - end, extent.count]
    }
  }

  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    Varint.append(UInt64(gap), to: &bytes)
    bytes += parameters
    Varint.append(UInt64(contentSize), to: &bytes)
    CraftedTarget.append(destinations, to: &bytes)
    Varint.append(UInt64(sources.count), to: &bytes)
    guard !sources.isEmpty else { return bytes }
    bytes.append(wrapper)
    for source in sources { CraftedTarget.append(source, to: &bytes) }
    return bytes
  }

  private static func append(_ extents: [[Int]], to bytes: inout [UInt8]) {
    Varint.append(UInt64(extents.count), to: &bytes)
    for extent in extents { append(extent, to: &bytes) }
  }

  private static func append(_ extent: [Int], to bytes: inout [UInt8]) {
    Varint.append(step(extent[0]), to: &bytes)
    Varint.append(UInt64(extent[1]), to: &bytes)
  }
}

extension CraftedPatch {
  /// One section with streams, whose contents have at most `content` bytes.
  static func streams(_ blocks: [UInt8], old: Int, new: Int, content: Int = 4096) -> CraftedPatch {
    var patch = CraftedPatch(
      oldSize: UInt64(old), newSize: UInt64(new), sections: [.init(completed: 0, blocks: blocks)])
    patch.allowLargeBlocks()
    patch.shape = .init(
      dictionarySize: 1 << 20, maximumPayload: 64 << 10, maximumBlock: 4 << 20,
      maximumContent: UInt32(content))
    return patch
  }
}
