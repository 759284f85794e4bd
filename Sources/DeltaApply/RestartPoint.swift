package import Crypto
package import Platform

/// A place in a patch where applying can begin: the first frame of a section.
package struct RestartPoint: Equatable {
  /// Where the frame begins in the patch.
  package let containerOffset: UInt64
  /// How many bytes of the new file are complete before it.
  package let completed: UInt64
  /// The digest of the frame.
  package let frame: Digest
  /// The number of the section, from 0.
  package let section: UInt32

  package init(containerOffset: UInt64, completed: UInt64, frame: Digest, section: UInt32) {
    self.containerOffset = containerOffset
    self.completed = completed
    self.frame = frame
    self.section = section
  }

  /// The beginning of a patch.
  package static func first(of head: PatchHead) -> RestartPoint {
    RestartPoint(containerOffset: UInt64(PatchHead.size), completed: 0, frame: head.firstFrame, section: 0)
  }

  /// The last restart point at which no more than `completed` bytes of the new file need to be there.
  ///
  /// It reads and authenticates the patch up to that point, and decodes nothing.
  package static func find(
    in patch: borrowing File, _ head: PatchHead, completed: UInt64
  ) throws(DeltaError) -> RestartPoint {
    var found = first(of: head)
    guard completed > 0, head.sectionCount > 1 else { return found }
    var frames = try FrameGatherer(head: head, from: found)
    var piece = [UInt8](repeating: 0, count: PatchLimits.piece)
    var digest = head.firstFrame
    while !frames.isAtEnd {
      let count = try patch.readPatch(into: &piece, at: frames.position)
      guard count > 0 else { throw .truncated(at: frames.position) }
      var taken = 0
      while taken < count && !frames.isAtEnd {
        taken += try frames.gather(piece.span.bytes.extracting(taken..<count))
        guard let frame = frames.frame else { continue }
        if frame.startsSection && frames.offset > found.containerOffset {
          guard frame.completed > found.completed, found.section < head.sectionCount - 1 else {
            throw .badFrame(at: frames.offset)
          }
          guard frame.completed <= completed else { return found }
          found = RestartPoint(
            containerOffset: frames.offset, completed: frame.completed, frame: digest,
            section: found.section + 1)
        }
        digest = frame.next ?? Digest()
        frames.next()
      }
    }
    return found
  }
}

extension File {
  /// Reads the next bytes of a patch from `offset`.
  func readPatch(into buffer: inout [UInt8], at offset: UInt64) throws(DeltaError) -> Int {
    do throws(FileError) {
      var span = buffer.mutableSpan
      var bytes = span.mutableBytes
      return try read(into: &bytes, at: offset)
    } catch { throw .file(error) }
  }
}
