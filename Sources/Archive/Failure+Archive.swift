package import Platform

/// What is wrong with an entry of an archive: no archive of maps has it.
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

  /// What is wrong, to follow the name of the entry.
  package var sentence: String {
    switch self {
    case .kind: "is a link or a special file"
    case .name: "has no name of a file below the archive"
    case .sparse: "is sparse"
    case .size: "has no size"
    case .twice: "is there twice"
    }
  }
}

/// Why an archive is not read further.
extension Failure {
  /// It is not a plain tar archive, or not a whole one; `cause` is in libarchive's words.
  package static func malformedArchive(_ path: String, cause: String) -> Failure {
    .badArchive(sentence: "\(path) is not a whole tar archive, or it is compressed (\(cause))")
  }

  package static func badEntry(_ name: String, of path: String, _ flaw: EntryFlaw) -> Failure {
    .badArchive(sentence: "\(path) has an entry \"\(name.printable())\" that \(flaw.sentence)")
  }

  /// It has more files than are looked up in one.
  static func tooManyFiles(_ path: String) -> Failure {
    .badArchive(
      sentence: "\(path) has more than \(ArchiveLimits.files) files; use a directory with them instead")
  }
}
