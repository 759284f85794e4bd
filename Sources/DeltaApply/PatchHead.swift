internal import Codec
package import Crypto

/// The head of a patch: what a reader has to know before the first frame.
///
/// `docs/format/patch.md`, Head, has the table. The digests that trust rests on are the catalog's; the two checks here are for
/// accidents, and for bare patches that no catalog lists.
package struct PatchHead: Equatable {
  /// 0 for a packed component.
  package let oldSize: UInt64
  package let newSize: UInt64
  /// The first bytes of the old file's digest; 0 for a packed component.
  package let oldCheck: UInt32
  /// The first bytes of the new file's digest.
  package let newCheck: UInt64
  package let shape: Shape

  /// The sizes that a reader's memory depends on, each in bytes.
  package struct Shape: Equatable, Sendable {
    /// 0: the sections are not compressed.
    package let dictionarySize: UInt32
    package let maximumPayload: UInt32
    package let maximumBlock: UInt32
    /// The largest content of a deflate stream, inflated; 0: none is looked into.
    package let maximumContent: UInt32

    package init(
      dictionarySize: UInt32, maximumPayload: UInt32, maximumBlock: UInt32, maximumContent: UInt32 = 0
    ) {
      self.dictionarySize = dictionarySize
      self.maximumPayload = maximumPayload
      self.maximumBlock = maximumBlock
      self.maximumContent = maximumContent
    }
  }

  /// The dictionary is rounded up to one that a head can say.
  ///
  /// - `old`: nil for a packed component.
  package init(old: (size: UInt64, digest: Digest)?, new: (size: UInt64, digest: Digest), shape: Shape) {
    oldSize = old?.size ?? 0
    newSize = new.size
    oldCheck = old.map { UInt32(truncatingIfNeeded: $0.digest.check) } ?? 0
    newCheck = new.digest.check
    self.shape = Shape(
      dictionarySize: PatchHead.roundedDictionary(shape.dictionarySize), maximumPayload: shape.maximumPayload,
      maximumBlock: shape.maximumBlock, maximumContent: shape.maximumContent)
  }

  /// The most bytes that a head has.
  package static let maximumSize = 42
  /// Bytes that tell the size of the head: the mark of the format, then the size itself.
  package static let prefix = 4

  /// The size of the head that begins with these bytes, of which there are at least `prefix`.
  package static func size(of bytes: RawSpan) throws(DeltaError) -> Int {
    guard bytes.byteCount >= prefix else { throw .truncated(at: UInt64(bytes.byteCount)) }
    guard let word: UInt32 = bytes.integer(at: 0), word & 0xff_ffff == magic else { throw .notAPatch }
    let size = Int(word >> 24)
    guard (leastSize...maximumSize).contains(size) else { throw .badHead(.size) }
    return size
  }

  /// Parses a head, and nothing behind it, and checks all that can be known from it alone.
  package init(parsing bytes: RawSpan) throws(DeltaError) {
    guard bytes.byteCount == (try PatchHead.size(of: bytes)) else { throw .badHead(.size) }
    var reader = HeadReader(offset: PatchHead.prefix)
    guard let code: UInt8 = reader.integer(in: bytes), let payload = reader.number(in: bytes),
      let block = reader.number(in: bytes), let content = reader.number(in: bytes),
      let new = reader.number(in: bytes), let old = reader.number(in: bytes)
    else { throw .badHead(.size) }
    guard code == 0 || PatchLimits.dictionaryCode.contains(code) else { throw .badHead(.dictionary) }
    guard PatchLimits.payload.contains(payload) else { throw .badHead(.payload) }
    guard PatchLimits.block.contains(block) else { throw .badHead(.block) }
    guard content <= PatchLimits.maximumContent else { throw .badHead(.content) }
    guard new <= PatchLimits.maximumFile else { throw .badHead(.newFile) }
    guard old <= 2 * PatchLimits.maximumFile + 1 else { throw .badHead(.oldFile) }
    let oldSize = old == 0 ? 0 : Int64(new) + Varint.unfolded(old - 1)
    guard (0...Int64(PatchLimits.maximumFile)).contains(oldSize), oldSize > 0 || old == 0 else {
      throw .badHead(.oldFile)
    }
    guard let newCheck: UInt64 = reader.integer(in: bytes),
      let oldCheck: UInt32 = old == 0 ? 0 : reader.integer(in: bytes), reader.offset == bytes.byteCount
    else { throw .badHead(.size) }
    newSize = new
    self.oldSize = UInt64(oldSize)
    self.newCheck = newCheck
    self.oldCheck = oldCheck
    shape = Shape(
      dictionarySize: PatchHead.dictionarySize(code), maximumPayload: UInt32(payload),
      maximumBlock: UInt32(block), maximumContent: UInt32(content))
  }

  package func encoded() -> [UInt8] {
    var fields: [UInt8] = [PatchHead.dictionaryCode(atLeast: shape.dictionarySize)]
    for size in [shape.maximumPayload, shape.maximumBlock, shape.maximumContent] {
      Varint.append(UInt64(size), to: &fields)
    }
    Varint.append(newSize, to: &fields)
    let difference = Int64(oldSize) - Int64(newSize)
    Varint.append(oldSize == 0 ? 0 : 1 + Varint.folded(difference), to: &fields)
    fields.append(littleEndian: newCheck)
    if oldSize > 0 { fields.append(littleEndian: oldCheck) }
    var bytes: [UInt8] = []
    bytes.append(littleEndian: PatchHead.magic | UInt32(PatchHead.prefix + fields.count) << 24)
    return bytes + fields
  }

  /// Whether a file's digest agrees with what the head says of the new file.
  package func isNew(_ digest: Digest) -> Bool { digest.check == newCheck }

  /// Whether a file's digest agrees with what the head says of the old file.
  package func isOld(_ digest: Digest) -> Bool { UInt32(truncatingIfNeeded: digest.check) == oldCheck }

  /// All that a reader allocates to apply it, in bytes.
  package var memoryNeeded: UInt64 { PatchHead.memoryNeeded(shape) }

  package static func memoryNeeded(_ shape: Shape) -> UInt64 {
    let decoder =
      shape.dictionarySize == 0 ? 0 : LZMA2Decoder.memoryNeeded(dictionarySize: shape.dictionarySize)
    let frame = UInt64(maximumSize + FrameHeader.maximumSize) + UInt64(shape.maximumPayload)
    let fixed = PatchLimits.window + PatchLimits.newWindow + PatchLimits.output + PatchLimits.sundries
    let content =
      shape.maximumContent == 0 ? 0 : ContentMaker.memoryNeeded(maximumContent: shape.maximumContent)
    return decoder + frame + UInt64(shape.maximumBlock) + UInt64(fixed) + content
  }

  /// A dictionary by its code in the head: 2 or 3 times a power of two, as in `.xz` (its specification, 5.3.1).
  static func dictionarySize(_ code: UInt8) -> UInt32 {
    code == 0 ? 0 : (2 | UInt32(code & 1)) << (UInt32(code) / 2 + 11)
  }

  /// The code of the smallest dictionary with at least so many bytes.
  static func dictionaryCode(atLeast size: UInt32) -> UInt8 {
    guard size > 0 else { return 0 }
    return PatchLimits.dictionaryCode.first { dictionarySize($0) >= size }
      ?? PatchLimits.dictionaryCode.upperBound
  }

  /// The smallest dictionary that a head can say with at least so many bytes.
  package static func roundedDictionary(_ size: UInt32) -> UInt32 {
    dictionarySize(dictionaryCode(atLeast: size))
  }

  private static var magic: UInt32 { 0x50_5554 }  // "TUP"
  private static var leastSize: Int { prefix + 14 }
}

/// A place in a head.
private struct HeadReader {
  var offset: Int

  mutating func integer<Integer: FixedWidthInteger & BitwiseCopyable>(in bytes: RawSpan) -> Integer? {
    guard let value: Integer = bytes.integer(at: offset) else { return nil }
    offset += MemoryLayout<Integer>.size
    return value
  }

  mutating func number(in bytes: RawSpan) -> UInt64? {
    var cursor = StreamCursor(offset: offset, end: bytes.byteCount)
    let value = bytes.withUnsafeBytes { unsafe cursor.number(in: $0.bindMemory(to: UInt8.self).span) }
    offset = cursor.offset
    return value
  }
}

extension Digest {
  /// The first eight bytes as a little-endian number: enough against accidents.
  package var check: UInt64 {
    var value: UInt64 = 0
    for index in (0..<8).reversed() { value = value << 8 | UInt64(bytes[index]) }
    return value
  }
}

extension Array where Element == UInt8 {
  mutating func append(digest: Digest) {
    for index in 0..<Digest.size { append(digest.bytes[index]) }
  }
}
