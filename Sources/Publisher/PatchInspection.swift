package import Crypto
package import DeltaApply
internal import Platform

/// A patch, gone through from its head to its last frame without being applied.
package struct PatchInspection: Sendable {
  package let head: PatchHead
  package let headDigest: Digest
  package let frames: Int

  /// Reads the head and follows the digests from frame to frame.
  init(of path: String) throws(PublisherError) {
    do throws(DeltaError) { self = try PatchInspection(walking: path) } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .damagedPatch(path: path, error)
    }
  }

  private init(walking path: String) throws(DeltaError) {
    let file: File
    do throws(FileError) { file = try File(opening: path) } catch { throw .file(error) }
    var bytes = try PatchInspection.bytes(of: file, at: 0, count: PatchHead.size)
    head = try PatchHead(parsing: bytes.span.bytes)
    headDigest = try PatchInspection.digest(of: bytes)
    var offset = UInt64(PatchHead.size)
    var expected = head.firstFrame == Digest() ? nil : head.firstFrame
    var frames = 0
    var sections: UInt32 = 0
    while let digest = expected {
      bytes = try PatchInspection.bytes(of: file, at: offset, count: FrameHeader.size)
      guard let header = FrameHeader(parsing: bytes.span.bytes), header.payloadSize <= head.maximumPayload
      else {
        throw .badFrame(at: offset)
      }
      bytes = try PatchInspection.bytes(
        of: file, at: offset, count: FrameHeader.size + Int(header.payloadSize))
      guard try PatchInspection.digest(of: bytes) == digest else { throw .wrongFrame(at: offset) }
      frames += 1
      if header.startsSection { sections += 1 }
      offset += UInt64(bytes.count)
      expected = header.next
    }
    guard sections == head.sectionCount else { throw .badSection(sections) }
    let size: UInt64
    do throws(FileError) { size = try file.size() } catch { throw .file(error) }
    guard offset >= head.containerSize else { throw .truncated(at: offset) }
    guard size <= offset else { throw .trailingBytes(at: offset) }
    self.frames = frames
  }

  private static func bytes(
    of file: borrowing File, at offset: UInt64, count: Int
  ) throws(DeltaError) -> [UInt8] {
    do throws(FileError) {
      var bytes = [UInt8](repeating: 0, count: count)
      var span = bytes.mutableSpan
      var space = span.mutableBytes
      if try file.read(into: &space, at: offset) == count { return bytes }
    } catch { throw .file(error) }
    throw .truncated(at: offset)
  }

  private static func digest(of bytes: [UInt8]) throws(DeltaError) -> Digest {
    do throws(HasherError) { return try Hasher.digest(of: bytes.span.bytes) } catch { throw .hashing }
  }
}
