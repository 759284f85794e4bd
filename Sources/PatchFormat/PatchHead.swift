package import Crypto

/// The head of a patch: what a reader has to know before the first frame.
///
/// `docs/format/patch.md`, Head, has the table. The digests that trust rests on are in the catalog; the two checks here detect
/// accidents, and protect bare patches that no catalog lists.
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
    /// 0: sections are stored, if they are not sorted.
    package let dictionarySize: UInt32
    /// Whether there may be sorted sections.
    package let hasSortedSections: Bool
    package let maximumPayload: UInt32
    package let maximumBlock: UInt32
    /// The largest old content that is held whole, and the window of larger ones; 0: the patch makes no deflate streams.
    package let maximumContent: UInt32

    package init(
      dictionarySize: UInt32, hasSortedSections: Bool = false, maximumPayload: UInt32, maximumBlock: UInt32,
      maximumContent: UInt32 = 0
    ) {
      self.dictionarySize = dictionarySize
      self.hasSortedSections = hasSortedSections
      self.maximumPayload = maximumPayload
      self.maximumBlock = maximumBlock
      self.maximumContent = maximumContent
    }
  }

  /// The dictionary is rounded up to one that a head can express.
  ///
  /// - `old`: nil for a packed component.
  package init(old: (size: UInt64, digest: Digest)?, new: (size: UInt64, digest: Digest), shape: Shape) {
    oldSize = old?.size ?? 0
    newSize = new.size
    oldCheck = old.map { UInt32(truncatingIfNeeded: $0.digest.check) } ?? 0
    newCheck = new.digest.check
    self.shape = Shape(
      dictionarySize: DictionaryCode.rounded(shape.dictionarySize),
      hasSortedSections: shape.hasSortedSections, maximumPayload: shape.maximumPayload,
      maximumBlock: shape.maximumBlock, maximumContent: shape.maximumContent)
  }

  /// Whether a file's digest agrees with the head's check of the new file.
  package func isNew(_ digest: Digest) -> Bool { digest.check == newCheck }

  /// Whether a file's digest agrees with the head's check of the old file.
  package func isOld(_ digest: Digest) -> Bool { UInt32(truncatingIfNeeded: digest.check) == oldCheck }

  /// The most bytes that a head has.
  package static let maximumSize = 42
  /// The bytes from which the size of the head is known: the magic number, then the size itself.
  package static let prefix = 4

  private static var magic: UInt32 { 0x50_5554 }  // "TUP"
  /// In the byte with the code of the dictionary.
  private static var sortedFlag: UInt8 { 0x80 }
  private static var leastSize: Int { prefix + 14 }
}

// MARK: - As bytes

extension PatchHead {
  package func encoded() -> [UInt8] {
    var fields: [UInt8] = [
      DictionaryCode.code(atLeast: shape.dictionarySize)
        | (shape.hasSortedSections ? PatchHead.sortedFlag : 0)
    ]
    for size in [shape.maximumPayload, shape.maximumBlock, shape.maximumContent] {
      Varint.append(UInt64(size), to: &fields)
    }
    Varint.append(newSize, to: &fields)
    let difference = Int64(oldSize) - Int64(newSize)
    Varint.append(oldSize == 0 ? 0 : 1 + Varint.zigzag(difference), to: &fields)
    fields.append(littleEndian: newCheck)
    if oldSize > 0 { fields.append(littleEndian: oldCheck) }
    var bytes: [UInt8] = []
    bytes.append(littleEndian: PatchHead.magic | UInt32(PatchHead.prefix + fields.count) << 24)
    return bytes + fields
  }

  /// Parses a head that ends where `bytes` do, and checks everything that can be checked without the patch.
  package init(parsing bytes: RawSpan) throws(PatchFormatError) {
    guard bytes.byteCount == (try PatchHead.size(of: bytes)) else { throw .badHead(.size) }
    let fields = Span<UInt8>(_bytes: bytes)
    var cursor = ByteCursor(offset: PatchHead.prefix, end: bytes.byteCount)
    guard let codecs = cursor.byte(in: fields), let payload = cursor.number(in: fields),
      let block = cursor.number(in: fields), let content = cursor.number(in: fields),
      let new = cursor.number(in: fields), let old = cursor.number(in: fields)
    else { throw .badHead(.size) }
    let code = codecs & ~PatchHead.sortedFlag
    guard code == 0 || DictionaryCode.range.contains(code) else { throw .badHead(.dictionary) }
    guard PatchLimits.payload.contains(payload) else { throw .badHead(.payload) }
    guard PatchLimits.block.contains(block) else { throw .badHead(.block) }
    guard content <= PatchLimits.maximumContent else { throw .badHead(.content) }
    guard new <= PatchLimits.maximumFile else { throw .badHead(.newFile) }
    guard old <= 2 * PatchLimits.maximumFile + 1 else { throw .badHead(.oldFile) }
    let oldSize = old == 0 ? 0 : Int64(new) + Varint.unzigzag(old - 1)
    guard (0...Int64(PatchLimits.maximumFile)).contains(oldSize), oldSize > 0 || old == 0 else {
      throw .badHead(.oldFile)
    }
    guard let newCheck: UInt64 = cursor.integer(in: fields),
      let oldCheck: UInt32 = old == 0 ? 0 : cursor.integer(in: fields), cursor.remaining == 0
    else { throw .badHead(.size) }
    newSize = new
    self.oldSize = UInt64(oldSize)
    self.newCheck = newCheck
    self.oldCheck = oldCheck
    shape = Shape(
      dictionarySize: DictionaryCode.size(code), hasSortedSections: codecs & PatchHead.sortedFlag != 0,
      maximumPayload: UInt32(payload), maximumBlock: UInt32(block), maximumContent: UInt32(content))
  }

  /// The size of the head that begins with these bytes, of which there are at least `prefix`.
  package static func size(of bytes: RawSpan) throws(PatchFormatError) -> Int {
    guard bytes.byteCount >= prefix else { throw .truncated(at: UInt64(bytes.byteCount)) }
    guard let word: UInt32 = bytes.integer(at: 0), word & 0xff_ffff == magic else { throw .notAPatch }
    let size = Int(word >> 24)
    guard (leastSize...maximumSize).contains(size) else { throw .badHead(.size) }
    return size
  }
}
