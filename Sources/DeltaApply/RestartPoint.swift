package import Crypto

/// A place in a patch where applying can begin again: the first frame of a section.
///
/// It holds all that is needed to go on without the bytes before, so that a device can keep it over a start.
package struct RestartPoint: Equatable {
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

  /// The stored form: both offsets, the digest, the head in 44 bytes, and the first half of a digest of all of that.
  package func encoded() throws(HasherError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: containerOffset)
    bytes.append(littleEndian: completed)
    bytes.append(digest: frame)
    bytes += head.encoded()
    while bytes.count < RestartPoint.encodedSize - RestartPoint.checkSize { bytes.append(0) }
    let digest = try Hasher.digest(of: bytes.span.bytes)
    for index in 0..<RestartPoint.checkSize { bytes.append(digest.bytes[index]) }
    return bytes
  }

  /// Parses the stored form; nil if it is another, torn by power loss for instance.
  package init?(parsing bytes: RawSpan) {
    let end = RestartPoint.encodedSize - RestartPoint.checkSize
    guard bytes.byteCount == RestartPoint.encodedSize else { return nil }
    do throws(HasherError) {
      let digest = try Hasher.digest(of: bytes.extracting(0..<end))
      for index in 0..<RestartPoint.checkSize {
        guard bytes.integer(UInt8.self, at: end + index) == digest.bytes[index] else { return nil }
      }
    } catch { return nil }
    guard let containerOffset: UInt64 = bytes.integer(at: 0), let completed: UInt64 = bytes.integer(at: 8),
      let frame = Digest(bytes.extracting(16..<48))
    else { return nil }
    do throws(DeltaError) {
      let size = try PatchHead.size(of: bytes.extracting(48..<end))
      head = try PatchHead(parsing: bytes.extracting(48..<48 + size))
    } catch { return nil }
    self.containerOffset = containerOffset
    self.completed = completed
    self.frame = frame
  }

  private static var checkSize: Int { 16 }
}
