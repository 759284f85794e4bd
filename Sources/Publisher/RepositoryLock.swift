internal import Platform

/// A lock of a repository, held until this ends; the kernel releases it when the process dies.
///
/// It lives in a file that is open for writing: that of a directory would count on this machine alone if the repository is
/// on NFS, whose servers know of locks on such files only (flock(2)).
struct RepositoryLock: ~Copyable {
  private let lock: FileLock

  /// The files that a lock protects.
  enum Subject: String {
    /// Files below `metadata`, and what waits for signatures.
    case metadata
    /// Files below `payloads`, `components` and `catalogs`, and unfinished ones.
    ///
    /// A release or plan holds it from beginning to end, `prune` while it removes files, and any number of jobs share it.
    /// The process that holds it and the metadata may empty `.work`.
    case payloads
  }

  /// The directory of the files, relative to the repository.
  static var folder: String { ".locks" }

  /// Throws `busy` if another process has it.
  ///
  /// - `limit`: how long to wait for that process, in milliseconds.
  init(
    _ subject: Subject, of repository: borrowing Directory, _ mode: Directory.LockMode = .exclusive,
    within limit: UInt64 = 0
  ) throws(PublisherError) {
    let file = try onFile { () throws(Failure) in
      try repository.makeDirectory(RepositoryLock.folder)
      return try repository.open("\(RepositoryLock.folder)/\(subject.rawValue)", to: .update)
    }
    do throws(Failure) { lock = try FileLock(file, mode, within: limit) } catch {
      throw error.errno == .wouldBlock ? .repository(.busy(path: repository.path)) : .file(error)
    }
  }
}
