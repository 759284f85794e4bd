package import Crypto
package import DeltaApply
package import PatchFormat
package import Platform

/// The head and the first frame of a patch.
///
/// Each frame holds the digest of the next one, so that the digest of this part identifies the whole patch.
package struct PatchOpening: Sendable {
  package let head: PatchHead
  /// Of head and first frame together.
  package let digest: Digest
  /// The digest of the second frame; nil if there is only one.
  package let next: Digest?
  /// Bytes of head and first frame.
  package let size: UInt64

  /// Reads it from a patch that lies in a file.
  package init(readingFrom patch: borrowing File) throws(DeltaError) {
    let front = try PatchOpening.bytes(of: patch, at: 0, atMost: PatchHead.maximumSize)
    let headBytes: [UInt8]
    do throws(PatchFormatError) {
      let size = try PatchHead.size(of: front.span.bytes)
      guard front.count >= size else { throw PatchFormatError.truncated(at: UInt64(front.count)) }
      headBytes = Array(front[..<size])
      head = try PatchHead(parsing: headBytes.span.bytes)
    } catch { throw DeltaError(error) }
    var bytes = headBytes
    var next: Digest?
    if head.newSize > 0 {
      let frame = try PatchFrame(readingFrom: patch, at: UInt64(headBytes.count), head: head)
      bytes += frame.bytes
      next = frame.header.next
    }
    do throws(HasherError) { digest = try Hasher.digest(of: bytes.span.bytes) } catch { throw .hashing }
    self.next = next
    self.size = UInt64(bytes.count)
  }

  /// Calls `body` with every frame of the patch that this was read from, each with the digest that the one before names.
  func forEachFrame(
    of patch: borrowing File, _ body: (PatchFrame) throws(DeltaError) -> Void
  ) throws(DeltaError) {
    var offset = size
    if head.newSize > 0 {
      try body(try PatchFrame(readingFrom: patch, at: UInt64(head.encoded().count), head: head))
    }
    var expected = next
    while let digest = expected {
      let frame = try PatchFrame(readingFrom: patch, at: offset, head: head)
      let found: Digest
      do throws(HasherError) { found = try Hasher.digest(of: frame.bytes.span.bytes) } catch {
        throw .hashing
      }
      guard found == digest else { throw .wrongFrame(at: offset) }
      try body(frame)
      offset += UInt64(frame.bytes.count)
      expected = frame.header.next
    }
    let end: UInt64
    do throws(Failure) { end = try patch.size() } catch { throw .file(error) }
    guard end <= offset else { throw .trailingBytes(at: offset) }
  }

  static func bytes(
    of file: borrowing File, at offset: UInt64, atMost count: Int
  ) throws(DeltaError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    do throws(Failure) {
      var span = bytes.mutableSpan
      var space = span.mutableBytes
      let found = try file.read(into: &space, at: offset)
      bytes.removeLast(count - found)
    } catch { throw .file(error) }
    return bytes
  }
}

/// A frame that lies in a file, whole and not authenticated.
package struct PatchFrame {
  package let header: FrameHeader
  /// All of it, the header included.
  package let bytes: [UInt8]
  package var payload: ArraySlice<UInt8> { bytes.suffix(Int(header.payloadSize)) }

  /// Reads the frame that begins at `offset`.
  package init(readingFrom patch: borrowing File, at offset: UInt64, head: PatchHead) throws(DeltaError) {
    let front = try PatchOpening.bytes(of: patch, at: offset, atMost: FrameHeader.maximumSize)
    guard front.count >= FrameHeader.prefix else { throw .truncated(at: offset + UInt64(front.count)) }
    guard let header = FrameHeader(parsing: front.span.bytes), header.payloadSize <= head.shape.maximumPayload
    else { throw .badFrame(at: offset) }
    let size = FrameHeader.size(of: front.span.bytes) + Int(header.payloadSize)
    bytes = try PatchOpening.bytes(of: patch, at: offset, atMost: size)
    guard bytes.count == size else { throw .truncated(at: offset + UInt64(bytes.count)) }
    self.header = header
  }
}
