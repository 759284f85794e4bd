package import Crypto

/// The header of a frame, which precedes its payload.
///
/// | size | field |
/// | --: | --- |
/// | 3 | little-endian: payload size minus one in the low 20 bits, a reserved bit (0), flag *sorted*, flag *start*, flag *last* |
/// | 32 | without *last*: SHA-256 of the next frame |
/// | 6 | with *start*: little-endian, bytes of the new file that are complete before this frame |
package struct FrameHeader: Equatable {
  /// The most bytes that a header has.
  package static let maximumSize = prefix + Digest.size + completedSize
  /// The bytes from which the size of the header and of the payload is known.
  package static let prefix = 3

  /// In bytes, 1 to 2^20.
  package let payloadSize: UInt32
  /// How many bytes of the new file are complete, if a section starts here; nil in the first frame, which starts at 0.
  package let start: UInt64?
  /// Whether a section starts here whose bytes are sorted, instead of compressed as LZMA2.
  package let isSorted: Bool
  /// The digest of the next frame; nil in the last.
  package let next: Digest?

  package init(payloadSize: UInt32, start: UInt64?, isSorted: Bool = false, next: Digest?) {
    self.payloadSize = payloadSize
    self.start = start
    self.isSorted = isSorted
    self.next = next
  }

  package func encoded() -> [UInt8] {
    let flags =
      (next == nil ? FrameHeader.lastFlag : 0) | (start == nil ? 0 : FrameHeader.startFlag)
      | (isSorted ? FrameHeader.sortedFlag : 0)
    var bytes: [UInt8] = []
    bytes.append(
      littleEndian: (payloadSize - 1) & FrameHeader.sizeBits | UInt32(flags) << 16, size: FrameHeader.prefix)
    if let next { bytes.append(digest: next) }
    if let start { bytes.append(littleEndian: start, size: FrameHeader.completedSize) }
    return bytes
  }

  /// Parses the front of a frame; nil if a reserved bit is set or the bytes are too few.
  package init?(parsing bytes: RawSpan) {
    guard let word = bytes.integer(at: 0, size: FrameHeader.prefix) else { return nil }
    payloadSize = (UInt32(truncatingIfNeeded: word) & FrameHeader.sizeBits) + 1
    let flags = UInt8(truncatingIfNeeded: word >> 16)
    guard flags & FrameHeader.reserved == 0, bytes.byteCount >= FrameHeader.size(of: bytes) else {
      return nil
    }
    isSorted = flags & FrameHeader.sortedFlag != 0
    var offset = FrameHeader.prefix
    next = flags & FrameHeader.lastFlag == 0 ? Digest(bytes.extracting(offset..<offset + Digest.size)) : nil
    if next != nil { offset += Digest.size }
    // The bytes are enough: their count was compared with the size.
    start =
      flags & FrameHeader.startFlag == 0
      ? nil : bytes.integer(at: offset, size: FrameHeader.completedSize)
  }

  /// The size of the header that begins with these bytes, of which there are at least `prefix`.
  package static func size(of bytes: RawSpan) -> Int {
    let flags: UInt8 = bytes.integer(at: 2) ?? 0
    return prefix + (flags & lastFlag == 0 ? Digest.size : 0) + (flags & startFlag == 0 ? 0 : completedSize)
  }

  private static var completedSize: Int { 6 }
  /// Where the first three bytes hold the size of the payload.
  private static var sizeBits: UInt32 { 0xf_ffff }
  // The flags, in the third byte.
  private static var sortedFlag: UInt8 { 0x20 }
  private static var startFlag: UInt8 { 0x40 }
  private static var lastFlag: UInt8 { 0x80 }
  private static var reserved: UInt8 { 0x10 }
}
