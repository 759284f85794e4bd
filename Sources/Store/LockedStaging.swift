package import Crypto
package import Platform

/// The same files, for the process that alone changes them.
package struct LockedStaging: ~Copyable {
  /// The same files, to read.
  package let reading: Staging

  package init(_ directory: consuming Directory) { reading = Staging(directory) }

  /// The checkpoints beside the partial download.
  package func checkpointFile(_ digest: Digest) throws(Failure) -> CheckpointFile {
    CheckpointFile(try reading.directory.openDirectory("."), name: Staging.checkpoint(digest))
  }

  /// Opens the partial download, which may be empty, to resume it.
  package func openPart(_ digest: Digest) throws(Failure) -> File {
    let name = Staging.part(digest)
    if try reading.directory.status(of: name)?.kind == .directory { try reading.directory.removeTree(name) }
    return try reading.directory.open(name, to: .update)
  }

  /// Opens the partial download of a component that consists of many files, to resume it.
  ///
  /// - `files`: how many it has, as the catalog says; nil: any number.
  /// - `completed`: bytes of it that are durable. If none are, nothing of what is there is used: it may have come from
  ///   anywhere, or be linked to what is installed.
  /// - `base`: an installed component whose files may be used.
  package func openTree(
    _ digest: Digest, size: UInt64, files: UInt64? = nil, completed: UInt64, base: TreeReader?
  ) throws(Failure) -> TreeWriter {
    if completed == 0 { try removePart(digest) }
    let name = Staging.part(digest)
    try reading.directory.makeDirectory(replacing: name)
    return try TreeWriter(
      try reading.directory.openDirectory(name), size: size, files: files, completed: completed, base: base)
  }

  /// Does the same as `complete` for a component that consists of many files.
  package func completeTree(
    _ digest: Digest, size: UInt64, shouldStop: () -> Bool = { false }
  ) throws(Failure) {
    let name = Staging.part(digest)
    try reading.directory.synchronizeFileSystem()
    var isRight = false
    do throws(Failure) {
      let tree = try TreeReader(reading.directory, TreePlace(staged: name), size: size)
      isRight = try reading.directory.hasTree(TreePlace(staged: name), size: size)
      if isRight { isRight = try tree.digest(readFrom: .storage, shouldStop: shouldStop) == digest }
    } catch {
      guard case .file(let cause) = error, cause.errno.isOfAbsence || cause.errno == .invalid else {
        throw error
      }
    }
    guard isRight else {
      try removePart(digest)
      throw .wrongContent(path: "\(reading.directory.path)/\(name)")
    }
    try reading.directory.removeTree(digest.hex)
    try reading.directory.rename(name, to: digest.hex)
    try checkpointFile(digest).remove()
  }

  /// Flushes the partial download, reads it back from storage, and gives it its final name if it is right.
  ///
  /// A wrong one is removed: nothing of it can be used.
  package func complete(
    _ digest: Digest, size: UInt64, shouldStop: () -> Bool = { false }
  ) throws(Failure) {
    let file = try openPart(digest)
    try file.synchronize()
    file.dropCache()
    let isRight = try Verification.matches(file, digest: digest, size: size, shouldStop: shouldStop)
    guard isRight else {
      let path = file.path
      try removePart(digest)
      throw .wrongContent(path: path)
    }
    if try reading.directory.status(of: digest.hex)?.kind == .directory {
      try reading.directory.removeTree(digest.hex)
    }
    try reading.directory.rename(Staging.part(digest), to: digest.hex)
    try checkpointFile(digest).remove()
  }

  /// Removes the file, complete or not.
  package func remove(_ digest: Digest) throws(Failure) {
    try reading.directory.removeTree(digest.hex)
    try removePart(digest)
  }

  /// Removes the partial download and its checkpoints.
  package func removePart(_ digest: Digest) throws(Failure) {
    // In this order: checkpoints of another partial file would be wrong.
    try checkpointFile(digest).remove()
    try reading.directory.removeTree(Staging.part(digest))
  }

  /// Makes the names that files have here durable.
  package func synchronizeNames() throws(Failure) {
    try reading.directory.synchronize()
  }

  /// The space that the file system has.
  package func space() throws(Failure) -> Space {
    try reading.directory.space()
  }

  /// Removes everything.
  package func clear() throws(Failure) {
    try reading.directory.removeTrees { _ in true }
  }
}
