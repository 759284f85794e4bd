package import Crypto

/// What stands before the payload of a frame: 44 bytes.
package struct FrameHeader: Equatable {
  package static let size = 44

  package let payloadSize: UInt32
  package let startsSection: Bool
  /// How many bytes of the new file are complete where this frame's section begins.
  package let completed: UInt64
  /// The digest of the next frame; nil in the last.
  package let next: Digest?

  package init(payloadSize: UInt32, startsSection: Bool, completed: UInt64, next: Digest?) {
    self.payloadSize = payloadSize
    self.startsSection = startsSection
    self.completed = completed
    self.next = next
  }

  /// Parses the front of a frame; nil if the bytes are too few.
  package init?(parsing bytes: RawSpan) {
    guard let word: UInt32 = bytes.integer(at: 0), let completed: UInt64 = bytes.integer(at: 4),
      bytes.byteCount >= FrameHeader.size, let next = Digest(bytes.extracting(12..<44))
    else { return nil }
    payloadSize = word & ~FrameHeader.startFlag
    startsSection = word & FrameHeader.startFlag != 0
    self.completed = completed
    self.next = next == Digest() ? nil : next
  }

  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(FrameHeader.size)
    bytes.append(littleEndian: payloadSize | (startsSection ? FrameHeader.startFlag : 0))
    bytes.append(littleEndian: completed)
    bytes.append(digest: next ?? Digest())
    return bytes
  }

  private static var startFlag: UInt32 { 1 << 31 }
}
