internal import Platform

/// Why an archive of maps is not unpacked.
package enum ArchiveFlaw: Error, Equatable {
  /// Neither a directory nor an archive.
  case unknownFormat
  /// It is not whole; `cause` is in the words of the library that found it.
  case damaged(cause: String)
  case encrypted(entry: String)
  /// The name leads out of the archive, is empty, or longer than any file's.
  case name(entry: String)
  /// Another entry has the name, or is a file where this one needs a directory.
  case twice(entry: String)
  /// A hard link whose target is not a file that was unpacked before.
  case hardLink(entry: String, target: String)
  case tooManyEntries
  /// It unpacks to more than `limit` bytes.
  case tooLarge(limit: UInt64)

  /// What happened, with the archive at `path`, and what to do next.
  func sentence(_ path: String) -> String {
    switch self {
    case .unknownFormat:
      """
      \(path) is neither a directory nor an archive that can be read: .tar, .tar.gz, .tar.xz, .tar.zst or .zip. Name \
      another one.
      """
    case .damaged(let cause):
      "\(path) is damaged or not complete (\(cause)). Pack or copy it again, and repeat the command."
    case .encrypted(let entry): "\(path)/\(entry) is encrypted. Pack it without a password."
    case .name(let entry):
      """
      \(path) has an entry "\(entry)", which is not the name of a file below the archive: absolute, with "..", empty or \
      too long. Pack the directory again with "tar -C DIR -cf FILE.tar .".
      """
    case .twice(let entry):
      "\(path)/\(entry) is in the archive twice, or is a file and a directory. Remove one of them."
    case .hardLink(let entry, let target):
      """
      \(path)/\(entry) is a hard link to "\(target)", which is not a file that precedes it, or is hidden. Pack the \
      directory again with "tar --hard-dereference".
      """
    case .tooManyEntries:
      """
      \(path) has more than \(PublisherLimits.archiveEntries) entries. Unpack it, and name the directory instead.
      """
    case .tooLarge(let limit):
      """
      \(path) unpacks to more than \(ByteCount(limit).text), too much for an archive of its size. If it is what it \
      should be, unpack it and name the directory instead.
      """
    }
  }
}
