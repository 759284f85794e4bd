package import Crypto

/// The header of a frame, which precedes its payload.
///
/// | size | field |
/// | --: | --- |
/// | 3 | little-endian: payload size minus one in the low 20 bits, two reserved bits (0), flag *start*, flag *last* |
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
  /// The digest of the next frame; nil in the last.
  package let next: Digest?

  package init(payloadSize: UInt32, start: UInt64?, next: Digest?) {
    self.payloadSize = payloadSize
    self.start = start
    self.next = next
  }

  package func encoded() -> [UInt8] {
    let word = payloadSize - 1
    let high =
      UInt8(truncatingIfNeeded: word >> 16) & 0x0f | (next == nil ? FrameHeader.lastFlag : 0)
      | (start == nil ? 0 : FrameHeader.startFlag)
    var bytes = [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8), high]
    if let next { bytes.append(digest: next) }
    if let start {
      for byte in 0..<FrameHeader.completedSize {
        bytes.append(UInt8(truncatingIfNeeded: start >> (8 * byte)))
      }
    }
    return bytes
  }

  /// Parses the front of a frame; nil if a reserved bit is set or the bytes are too few.
  package init?(parsing bytes: RawSpan) {
    guard let low: UInt16 = bytes.integer(at: 0), let high: UInt8 = bytes.integer(at: 2) else { return nil }
    payloadSize = (UInt32(low) | UInt32(high & 0x0f) << 16) + 1
    guard high & FrameHeader.reserved == 0, bytes.byteCount >= FrameHeader.size(of: bytes) else { return nil }
    var offset = FrameHeader.prefix
    next = high & FrameHeader.lastFlag == 0 ? Digest(bytes.extracting(offset..<offset + Digest.size)) : nil
    if next != nil { offset += Digest.size }
    if high & FrameHeader.startFlag == 0 {
      start = nil
    } else if let low: UInt32 = bytes.integer(at: offset), let high: UInt16 = bytes.integer(at: offset + 4) {
      start = UInt64(low) | UInt64(high) << 32
    } else {
      return nil
    }
  }

  /// The size of the header that begins with these bytes, of which there are at least `prefix`.
  package static func size(of bytes: RawSpan) -> Int {
    let flags: UInt8 = bytes.integer(at: 2) ?? 0
    return prefix + (flags & lastFlag == 0 ? Digest.size : 0) + (flags & startFlag == 0 ? 0 : completedSize)
  }

  private static var completedSize: Int { 6 }
  private static var startFlag: UInt8 { 0x40 }
  private static var lastFlag: UInt8 { 0x80 }
  private static var reserved: UInt8 { 0x30 }
}
