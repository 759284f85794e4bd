package import Crypto

/// A position in a patch where applying can resume: the first frame of a section.
///
/// It holds everything that is needed to continue without the bytes before, so a device can keep it across a reboot.
///
/// | offset | size | field |
/// | --: | --: | --- |
/// | 0 | 8 | `containerOffset` |
/// | 8 | 8 | `completed` |
/// | 16 | 32 | `frame` |
/// | 48 | 44 | `head`, padded with zeros |
/// | 92 | 16 | the first half of the SHA-256 of the bytes before |
package struct Checkpoint: Equatable {
  /// Where the frame begins in the patch.
  package let containerOffset: UInt64
  /// How many bytes of the new file are complete before it.
  package let completed: UInt64
  /// The digest of the frame.
  package let frame: Digest
  package let head: PatchHead

  package init(containerOffset: UInt64, completed: UInt64, frame: Digest, head: PatchHead) {
    self.containerOffset = containerOffset
    self.completed = completed
    self.frame = frame
    self.head = head
  }

  /// The size of its stored form.
  package static let encodedSize = 108

  /// The stored form.
  package func encoded() throws(HasherError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: containerOffset)
    bytes.append(littleEndian: completed)
    bytes.append(digest: frame)
    bytes += head.encoded()
    while bytes.count < Checkpoint.encodedSize - Checkpoint.checkSize { bytes.append(0) }
    let digest = try Hasher.digest(of: bytes.span.bytes)
    for index in 0..<Checkpoint.checkSize { bytes.append(digest.bytes[index]) }
    return bytes
  }

  /// Parses the stored form; nil if it is damaged, for instance torn by a power failure.
  package init?(parsing bytes: RawSpan) {
    let end = Checkpoint.encodedSize - Checkpoint.checkSize
    guard bytes.byteCount == Checkpoint.encodedSize else { return nil }
    do throws(HasherError) {
      let digest = try Hasher.digest(of: bytes.extracting(0..<end))
      for index in 0..<Checkpoint.checkSize {
        guard bytes.integer(UInt8.self, at: end + index) == digest.bytes[index] else { return nil }
      }
    } catch { return nil }
    guard let containerOffset: UInt64 = bytes.integer(at: 0), let completed: UInt64 = bytes.integer(at: 8),
      let frame = Digest(bytes.extracting(16..<48))
    else { return nil }
    do throws(PatchFormatError) {
      let size = try PatchHead.size(of: bytes.extracting(48..<end))
      head = try PatchHead(parsing: bytes.extracting(48..<48 + size))
    } catch { return nil }
    self.containerOffset = containerOffset
    self.completed = completed
    self.frame = frame
  }

  private static var checkSize: Int { 16 }
}
