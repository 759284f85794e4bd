package import Crypto
package import Platform

/// The same files, for the process that alone changes them.
package struct LockedStaging: ~Copyable {
  /// The same files, to read.
  package let reading: Staging

  package init(_ directory: consuming Directory) { reading = Staging(directory) }

  /// The checkpoints beside the partial download.
  package func checkpointFile(_ digest: Digest) throws(StoreError) -> CheckpointFile {
    try storing { () throws(FileError) in
      CheckpointFile(try reading.directory.openDirectory("."), name: Staging.checkpoint(digest))
    }
  }

  /// Opens the partial download, which may be empty, to resume it.
  package func openPart(_ digest: Digest) throws(StoreError) -> File {
    try storing { () throws(FileError) in try reading.directory.open(Staging.part(digest), to: .update) }
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
    try storing { () throws(FileError) in
      try reading.directory.rename(Staging.part(digest), to: digest.hex)
    }
    try checkpointFile(digest).remove()
  }

  /// Removes the file, complete or not.
  package func remove(_ digest: Digest) throws(StoreError) {
    try storing { () throws(FileError) in try reading.directory.remove(digest.hex) }
    try removePart(digest)
  }

  /// Removes the partial download and its checkpoints.
  package func removePart(_ digest: Digest) throws(StoreError) {
    // In this order: checkpoints of another partial file would be wrong.
    try checkpointFile(digest).remove()
    try storing { () throws(FileError) in try reading.directory.remove(Staging.part(digest)) }
  }

  /// Makes the names that files have here durable.
  package func synchronizeNames() throws(StoreError) {
    try storing { () throws(FileError) in try reading.directory.synchronize() }
  }

  /// The space that the file system has.
  package func space() throws(StoreError) -> Space {
    try storing { () throws(FileError) in try reading.directory.space() }
  }

  /// Removes everything.
  package func clear() throws(StoreError) {
    try storing { () throws(FileError) in
      try reading.directory.removeTrees { _ in true }
    }
  }
}
