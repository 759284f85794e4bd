/// What stands before the four streams of a block: 24 bytes.
package struct BlockHeader: Equatable {
  package static let size = 24

  /// The bytes of the new file that the block makes.
  package let newSize: UInt64
  // The sizes of the streams.
  package let covers: UInt32
  package let runs: UInt32
  package let differences: UInt32
  package let extras: UInt32

  package init(newSize: UInt64, covers: UInt32, runs: UInt32, differences: UInt32, extras: UInt32) {
    self.newSize = newSize
    self.covers = covers
    self.runs = runs
    self.differences = differences
    self.extras = extras
  }

  /// Parses the front of a block; nil if the bytes are too few.
  init?(parsing bytes: RawSpan) {
    guard let newSize: UInt64 = bytes.integer(at: 0), let covers: UInt32 = bytes.integer(at: 8),
      let runs: UInt32 = bytes.integer(at: 12), let differences: UInt32 = bytes.integer(at: 16),
      let extras: UInt32 = bytes.integer(at: 20)
    else { return nil }
    self.init(newSize: newSize, covers: covers, runs: runs, differences: differences, extras: extras)
  }

  /// The bytes of the four streams together.
  package var streamsSize: UInt64 { UInt64(covers) + UInt64(runs) + UInt64(differences) + UInt64(extras) }

  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(BlockHeader.size)
    bytes.append(littleEndian: newSize)
    for size in [covers, runs, differences, extras] { bytes.append(littleEndian: size) }
    return bytes
  }
}
