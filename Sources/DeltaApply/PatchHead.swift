internal import Codec
package import Crypto

/// The head of a patch: the 160 bytes whose digest vouches for all the rest.
///
/// `format.md`, "Patch", has the table.
package struct PatchHead: Equatable {
  package static let size = 160

  /// Size and digest of the old file; nil for a packed component.
  package let old: FileIdentity?
  package let new: FileIdentity
  package let containerSize: UInt64
  /// What the publisher says that applying takes.
  package let memory: UInt32
  package let dictionarySize: UInt32
  package let maximumPayload: UInt32
  package let maximumBlock: UInt32
  package let sectionCount: UInt32
  package let firstFrame: Digest

  /// A file by its size in bytes and its digest.
  package struct FileIdentity: Equatable {
    package let size: UInt64
    package let digest: Digest

    package init(size: UInt64, digest: Digest) {
      self.size = size
      self.digest = digest
    }
  }

  /// The sizes that a reader's memory depends on, each in bytes.
  package struct Shape: Equatable {
    package let dictionarySize: UInt32
    package let maximumPayload: UInt32
    package let maximumBlock: UInt32

    package init(dictionarySize: UInt32, maximumPayload: UInt32, maximumBlock: UInt32) {
      self.dictionarySize = dictionarySize
      self.maximumPayload = maximumPayload
      self.maximumBlock = maximumBlock
    }
  }

  package init(
    old: FileIdentity?, new: FileIdentity, containerSize: UInt64, shape: Shape, sectionCount: UInt32,
    firstFrame: Digest
  ) {
    self.old = old
    self.new = new
    self.containerSize = containerSize
    memory = UInt32(clamping: PatchHead.memoryNeeded(shape))
    dictionarySize = shape.dictionarySize
    maximumPayload = shape.maximumPayload
    maximumBlock = shape.maximumBlock
    self.sectionCount = sectionCount
    self.firstFrame = firstFrame
  }

  /// Parses the first bytes of a patch and checks all that can be known from them alone.
  package init(parsing bytes: RawSpan) throws(DeltaError) {
    guard bytes.byteCount >= PatchHead.size else { throw .truncated(at: UInt64(bytes.byteCount)) }
    guard bytes.integer(at: 0) == PatchHead.magic else { throw .notAPatch }
    guard let oldSize: UInt64 = bytes.integer(at: 8), let oldDigest = Digest(bytes.extracting(16..<48)),
      let newSize: UInt64 = bytes.integer(at: 48), let newDigest = Digest(bytes.extracting(56..<88)),
      let containerSize: UInt64 = bytes.integer(at: 88), let memory: UInt32 = bytes.integer(at: 96),
      let dictionarySize: UInt32 = bytes.integer(at: 100),
      let maximumPayload: UInt32 = bytes.integer(at: 104),
      let maximumBlock: UInt32 = bytes.integer(at: 108), let sectionCount: UInt32 = bytes.integer(at: 112),
      let firstFrame = Digest(bytes.extracting(128..<160))
    else { throw .notAPatch }  // not reached: the size was checked

    for offset in 116..<128 where bytes.integer(UInt8.self, at: offset) != 0 { throw .badHead(.reserved) }
    old = oldSize == 0 ? nil : FileIdentity(size: oldSize, digest: oldDigest)
    guard oldSize > 0 || oldDigest == Digest() else { throw .badHead(.oldFile) }
    new = FileIdentity(size: newSize, digest: newDigest)
    self.containerSize = containerSize
    self.memory = memory
    self.dictionarySize = dictionarySize
    self.maximumPayload = maximumPayload
    self.maximumBlock = maximumBlock
    self.sectionCount = sectionCount
    self.firstFrame = firstFrame
    try check()
  }

  /// Whether the fields are within their bounds and agree with each other.
  private func check() throws(DeltaError) {
    guard (old?.size ?? 0) <= PatchLimits.maximumFile else { throw .badHead(.oldFile) }
    guard new.size <= PatchLimits.maximumFile else { throw .badHead(.newFile) }
    guard PatchLimits.dictionary.contains(dictionarySize) else { throw .badHead(.dictionary) }
    guard PatchLimits.payload.contains(maximumPayload) else { throw .badHead(.payload) }
    guard PatchLimits.block.contains(maximumBlock) else { throw .badHead(.block) }
    guard memory >= dictionarySize else { throw .badHead(.memory) }
    // Each section makes at least one byte, from at least one frame of at least one byte.
    guard (sectionCount == 0) == (new.size == 0), sectionCount <= new.size else { throw .badHead(.sections) }
    guard (sectionCount == 0) == (firstFrame == Digest()) else { throw .badHead(.firstFrame) }
    let least = UInt64(PatchHead.size) + UInt64(sectionCount) * UInt64(FrameHeader.size + 1)
    guard containerSize >= least, containerSize <= PatchLimits.maximumFile,
      sectionCount > 0 || containerSize == least
    else { throw .badHead(.containerSize) }
  }

  /// The 160 bytes.
  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(PatchHead.size)
    bytes.append(littleEndian: PatchHead.magic)
    bytes.append(littleEndian: old?.size ?? 0)
    bytes.append(digest: old?.digest ?? Digest())
    bytes.append(littleEndian: new.size)
    bytes.append(digest: new.digest)
    bytes.append(littleEndian: containerSize)
    bytes.append(littleEndian: memory)
    bytes.append(littleEndian: dictionarySize)
    bytes.append(littleEndian: maximumPayload)
    bytes.append(littleEndian: maximumBlock)
    bytes.append(littleEndian: sectionCount)
    for _ in 116..<128 { bytes.append(0) }
    bytes.append(digest: firstFrame)
    return bytes
  }

  private static var magic: UInt64 { 0x3148_4354_4150_5554 }  // "TUPATCH1"

  package var shape: Shape {
    Shape(dictionarySize: dictionarySize, maximumPayload: maximumPayload, maximumBlock: maximumBlock)
  }

  /// The memory that applying takes, in bytes: the larger of what the publisher says and what this reader knows.
  package var memoryNeeded: UInt64 { max(UInt64(memory), PatchHead.memoryNeeded(shape)) }

  /// All that this reader allocates for a patch of this shape.
  package static func memoryNeeded(_ shape: Shape) -> UInt64 {
    let frame = UInt64(FrameHeader.size) + UInt64(shape.maximumPayload)
    let block = UInt64(BlockHeader.size) + UInt64(shape.maximumBlock)
    let fixed = PatchLimits.window + PatchLimits.output + PatchLimits.piece + PatchLimits.sundries
    return LZMA2Decoder.memoryNeeded(dictionarySize: shape.dictionarySize) + frame + block + UInt64(fixed)
  }
}

extension Array where Element == UInt8 {
  mutating func append(digest: Digest) {
    for index in 0..<Digest.size { append(digest.bytes[index]) }
  }
}
