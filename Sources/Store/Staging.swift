package import Crypto
package import Platform

/// Content-addressed files that are in no generation yet.
///
/// Files and indexes are read here, and written through `LockedStaging`. A name that is a digest is a complete, verified file. With `.part` it is a partial download, whose bytes are not
/// verified; `.restart` beside it says where the download can resume. All of it is a cache: what is lost is fetched again.
package struct Staging: ~Copyable {
  let directory: Directory

  package init(_ directory: consuming Directory) { self.directory = directory }

  /// The complete file is there, with `size` bytes, or all files of a component that has many.
  ///
  /// - `isTree`: as what it is wanted; nil: as either.
  package func isComplete(
    _ digest: Digest, size: UInt64, isTree: Bool? = nil
  ) throws(Failure) -> Bool {
    guard let status = try directory.status(of: digest.hex) else { return false }
    guard status.kind == .directory else { return status.size == size && isTree != true }
    // A removal that power loss ended leaves some of them.
    if isTree == false { return false }
    return try directory.hasTree(TreePlace(staged: digest.hex), size: size)
  }

  /// How many bytes of it are there, complete or not.
  package func stored(_ digest: Digest) throws(Failure) -> UInt64 {
    if let complete = try directory.status(of: digest.hex), complete.kind == .file { return complete.size }
    // How much is there of many files, a checkpoint says.
    guard let part = try directory.status(of: Staging.part(digest)), part.kind == .file else { return 0 }
    return part.size
  }

  /// Bytes that it takes on disk, complete or not: more than its size where space was reserved.
  package func occupied(_ digest: Digest) throws(Failure) -> UInt64 {
    for name in [digest.hex, Staging.part(digest)] {
      guard let status = try directory.status(of: name) else { continue }
      if status.kind == .file { return status.occupied }
      return try directory.openDirectory(name).removableSpace().bytes
    }
    return 0
  }

  /// The partial download is one of a component that has many files, or of a file.
  package func hasPart(_ digest: Digest, isTree: Bool) throws(Failure) -> Bool {
    try directory.status(of: Staging.part(digest))?.kind == (isTree ? .directory : .file)
  }

  /// The newest checkpoint beside the partial download; nil if there is none.
  package func checkpoint(_ digest: Digest) throws(Failure) -> [UInt8]? {
    try CheckpointFile(try directory.openDirectory("."), name: Staging.checkpoint(digest)).read()
  }

  /// Gives a complete file another name among `files`.
  package func link(_ digest: Digest, to files: borrowing Staging) throws(Failure) {
    try share(digest.hex, with: files)
  }

  /// Gives a file of this name the same name in another directory, unless something has brought it there: several components
  /// can have the same bytes.
  func share(_ name: String, with files: borrowing Staging) throws(Failure) {
    let isThere = try files.directory.status(of: name) != nil
    if !isThere { try directory.share(name, with: files.directory, as: name) }
  }

  /// The complete file is there, and reads back as what it should be.
  ///
  /// - `shouldStop`: asked while it is read; true ends it with `cancelled`.
  package func isIntact(
    _ digest: Digest, size: UInt64, shouldStop: () -> Bool = { false }
  ) throws(Failure) -> Bool {
    do throws(Failure) {
      return try Verification.matches(open(digest), digest: digest, size: size, shouldStop: shouldStop)
    } catch {
      if case .file(let cause) = error, !cause.errno.isOfShortage { return false }
      throw error
    }
  }

  /// Opens a complete component that consists of many files; nil if it is a single file.
  package func openTree(_ digest: Digest, size: UInt64) throws(Failure) -> TreeReader? {
    guard try directory.status(of: digest.hex)?.kind == .directory else { return nil }
    return try TreeReader(directory, TreePlace(staged: digest.hex), size: size)
  }

  /// Opens a complete file.
  package func open(_ digest: Digest) throws(Failure) -> File {
    try directory.open(digest.hex)
  }

  /// Bytes of all that is staged.
  package func size() throws(Failure) -> UInt64 {
    var sum: UInt64 = 0
    try directory.forEachName { (name) throws(Failure) in
      sum = sum.saturatingSum(try directory.status(of: name)?.size ?? 0)
    }
    return sum
  }

  static func part(_ digest: Digest) -> String { digest.hex + ".part" }
  static func checkpoint(_ digest: Digest) -> String { digest.hex + ".restart" }
}
