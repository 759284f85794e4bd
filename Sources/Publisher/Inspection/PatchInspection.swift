package import Crypto
internal import DeltaApply
package import PatchFormat
internal import Platform

/// A patch, read from its head to its last frame without being applied.
package struct PatchInspection: Sendable {
  package let head: PatchHead
  /// Of the head and the first frame.
  package let headDigest: Digest
  /// In bytes.
  package let size: UInt64
  package let frames: Int
  package let sections: Int
  /// How many of the sections are sorted.
  package let sortedSections: Int

  /// Reads the head and follows the digests from frame to frame.
  init(of path: String) throws(PublisherError) {
    do throws(DeltaError) { self = try PatchInspection(walking: path) } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .inspection(.damagedPatch(path: path, error))
    }
  }

  /// The digest of a patch's head and first frame; the rest is not read.
  static func headDigest(of path: String) throws(PublisherError) -> Digest {
    let file = try onFile { () throws(Failure) in try File(opening: path) }
    do throws(DeltaError) { return try PatchOpening(readingFrom: file).digest } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .inspection(.damagedPatch(path: path, error))
    }
  }

  private init(walking path: String) throws(DeltaError) {
    let file = try PatchInspection.open(path)
    let opening = try PatchOpening(readingFrom: file)
    head = opening.head
    headDigest = opening.digest
    var (frames, sections, sorted) = (0, 0, 0)
    try opening.forEachFrame(of: file) { (frame) throws(DeltaError) in
      if frames == 0 || frame.header.start != nil { sections += 1 }
      if frame.header.isSorted { sorted += 1 }
      frames += 1
    }
    do throws(Failure) { size = try file.size() } catch { throw .file(error) }
    self.frames = frames
    self.sections = sections
    sortedSections = sorted
  }

  static func open(_ path: String) throws(DeltaError) -> File {
    do throws(Failure) { return try File(opening: path) } catch { throw .file(error) }
  }
}
