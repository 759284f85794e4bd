package import Crypto
package import Platform

/// Content-addressed files that are in no generation yet.
///
/// A name that is a digest is a complete, verified file. With `.part` it is a partial download, whose bytes are not
/// verified; `.restart` beside it says where the download can resume. All of it is a cache: what is lost is fetched again.
package struct Staging: ~Copyable {
  let directory: Directory

  init(_ directory: consuming Directory) { self.directory = directory }

  /// The complete file is there, with `size` bytes.
  package func isComplete(_ digest: Digest, size: UInt64) throws(StoreError) -> Bool {
    try storing { () throws(FileError) in try directory.status(of: digest.hex)?.size == size }
  }

  /// How many bytes of it are there, complete or not.
  package func stored(_ digest: Digest) throws(StoreError) -> UInt64 {
    try storing { () throws(FileError) in
      if let complete = try directory.status(of: digest.hex) { return complete.size }
      return try directory.status(of: Staging.part(digest))?.size ?? 0
    }
  }

  /// Bytes that it takes on disk, complete or not: more than its size where space was reserved.
  package func occupied(_ digest: Digest) throws(StoreError) -> UInt64 {
    try storing { () throws(FileError) in
      if let complete = try directory.status(of: digest.hex) { return complete.occupied }
      return try directory.status(of: Staging.part(digest))?.occupied ?? 0
    }
  }

  /// The checkpoints beside the partial download.
  package func checkpointFile(_ digest: Digest) throws(StoreError) -> CheckpointFile {
    try storing { () throws(FileError) in
      CheckpointFile(try directory.openDirectory("."), digest.hex + ".restart")
    }
  }

  /// Opens the partial download, which may be empty, to resume it.
  package func openPart(_ digest: Digest) throws(StoreError) -> File {
    try storing { () throws(FileError) in try directory.open(Staging.part(digest), .update) }
  }

  /// Opens a complete file.
  package func open(_ digest: Digest) throws(StoreError) -> File {
    try storing { () throws(FileError) in try directory.open(digest.hex) }
  }

  /// Flushes the partial download, reads it back from storage, and gives it its final name if it is right.
  ///
  /// A wrong one is removed: nothing of it can be used.
  package func complete(
    _ digest: Digest, size: UInt64, shouldStop: () -> Bool = { false }
  ) throws(StoreError) {
    let file = try openPart(digest)
    try storing { () throws(FileError) in
      try file.synchronize()
      file.dropCache()
    }
    let isRight = try Verification.matches(file, digest: digest, size: size, shouldStop: shouldStop)
    guard isRight else {
      let path = file.path
      try removePart(digest)
      throw .wrongDigest(path: path)
    }
    try storing { () throws(FileError) in try directory.rename(Staging.part(digest), to: digest.hex) }
    try checkpointFile(digest).remove()
  }

  /// Removes the file, complete or not.
  package func remove(_ digest: Digest) throws(StoreError) {
    try storing { () throws(FileError) in try directory.remove(digest.hex) }
    try removePart(digest)
  }

  /// Removes the partial download and its checkpoints.
  package func removePart(_ digest: Digest) throws(StoreError) {
    // In this order: checkpoints of another partial file would be wrong.
    try checkpointFile(digest).remove()
    try storing { () throws(FileError) in try directory.remove(Staging.part(digest)) }
  }

  /// Removes everything.
  package func clear() throws(StoreError) {
    try storing { () throws(FileError) in
      try directory.removeTrees { _ in true }
    }
  }

  /// Bytes of all that is staged.
  package func size() throws(StoreError) -> UInt64 {
    var sum: UInt64 = 0
    try storing { () throws(FileError) in
      try directory.forEachName { (name) throws(FileError) in
        sum = sum.saturatingSum(try directory.status(of: name)?.size ?? 0)
      }
    }
    return sum
  }

  private static func part(_ digest: Digest) -> String { digest.hex + ".part" }
}
