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
}
