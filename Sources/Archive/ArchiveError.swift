package import Platform

/// Why an archive is not read further.
package indirect enum ArchiveError: Error, Equatable {
  case file(FileError)
  /// It is not a plain tar archive, or not a whole one; `cause` is in libarchive's words.
  case malformed(path: String, cause: String)
  /// It has an entry that no archive of maps has.
  case entry(name: String, path: String, EntryFlaw)
  /// It has more files than are looked up in one.
  case tooManyFiles(path: String)
  case noMemory
  case cancelled

  package enum EntryFlaw: Equatable {
    /// A link, a device, a pipe or a socket.
    case kind
    /// It leaves the directory, is empty or too long, or has characters that no name of a repository has.
    case name
    /// It has holes, so that its size says nothing about its bytes.
    case sparse
    /// It does not say its size.
    case size
    /// Another file of the archive has the name.
    case twice
  }

  /// What is wrong, and with which file.
  package var sentence: String {
    switch self {
    case .file(let error): error.sentence
    case .malformed(let path, let cause): "\(path) is not a whole tar archive, or it is compressed (\(cause))"
    case .entry(let name, let path, let flaw):
      "\(path) has an entry \"\(name.printable())\" that \(flaw.sentence)"
    case .tooManyFiles(let path):
      "\(path) has more than \(ArchiveLimits.files) files; use a directory with them instead"
    case .noMemory: "out of memory"
    case .cancelled: "cancelled"
    }
  }
}

extension ArchiveError.EntryFlaw {
  fileprivate var sentence: String {
    switch self {
    case .kind: "is a link or a special file"
    case .name: "has no name of a file below the archive"
    case .sparse: "is sparse"
    case .size: "has no size"
    case .twice: "is there twice"
    }
  }
}
