/// What the file system would get back.
extension Directory {
  /// The bytes on disk and the inodes of everything below this directory that has no other name: what removing it frees.
  ///
  /// - `depth`: how many levels are looked at.
  package func removableSpace(depth: Int = 32) throws(Failure) -> (bytes: UInt64, files: UInt64) {
    var (bytes, files) = (0 as UInt64, 0 as UInt64)
    try forEachName { (name) throws(Failure) in
      guard let status = try status(of: name) else { return }
      switch status.kind {
      case .directory:
        guard depth > 0 else { return }
        let below = try openDirectory(name).removableSpace(depth: depth - 1)
        bytes = bytes.saturatingSum(status.occupied).saturatingSum(below.bytes)
        files = files.saturatingSum(below.files).saturatingSum(1)
      case .file, .other:
        guard status.links == 1 else { return }
        bytes = bytes.saturatingSum(status.occupied)
        files = files.saturatingSum(1)
      }
    }
    return (bytes, files)
  }

  /// The bytes on disk of everything below this directory.
  ///
  /// A file with several names counts once, as long as all of them are below it: each name counts for its part. What
  /// disappears meanwhile does not count.
  ///
  /// - `depth`: how many levels are looked at.
  package func occupiedSpace(depth: Int = 32) throws(Failure) -> UInt64 {
    var bytes: UInt64 = 0
    try forEachName { (name) throws(Failure) in
      guard let status = try status(of: name) else { return }
      guard status.kind == .directory else {
        bytes = bytes.saturatingSum(status.occupied / max(1, status.links))
        return
      }
      bytes = bytes.saturatingSum(status.occupied)
      guard depth > 0 else { return }
      do throws(Failure) {
        bytes = bytes.saturatingSum(try openDirectory(name).occupiedSpace(depth: depth - 1))
      } catch { guard error.isOfAbsence else { throw error } }
    }
    return bytes
  }
}
