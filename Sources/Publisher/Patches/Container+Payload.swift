internal import Catalog
internal import Crypto
internal import DeltaApply
internal import PatchFormat
internal import Platform

extension Container {
  /// The container of a payload that is stored under its digest.
  ///
  /// - `recompressed`: bytes of the deflate streams that it rebuilds.
  init(_ head: PatchHead, digest: Digest, size: UInt64, recompressed: UInt64) {
    self.init(
      url: "payloads/\(digest.hex).patch", size: size, head: digest, memory: head.memoryNeeded,
      recompressed: recompressed)
  }

  /// The container of the payload at `path`; nil if the file is not a payload.
  ///
  /// Its head is read, and the rest if it rebuilds streams. Neither is checked against the files that it is for.
  static func read(_ path: String) throws(PublisherError) -> Container? {
    let file = try onFile { () throws(Failure) in try File(opening: path) }
    let size = try onFile { () throws(Failure) in try file.size() }
    let opening: PatchOpening
    do throws(DeltaError) { opening = try PatchOpening(readingFrom: file) } catch {
      if case .file(let error) = error { throw .file(error) }
      return nil
    }
    var recompressed: UInt64 = 0
    if opening.head.shape.maximumContent > 0 {
      do throws(PublisherError) { recompressed = try PatchContents(of: path).rebuiltStreams.bytes } catch {
        if case .file = error { throw error }
        return nil  // only its head is right
      }
    }
    return Container(opening.head, digest: opening.digest, size: size, recompressed: recompressed)
  }
}
