/// What is wrong with a store's directory.
package indirect enum StoreFlaw: Equatable {
  /// `current` is there but does not name a generation.
  case strayCurrent
  /// A newer program has written it.
  case newerFormat(UInt64, known: UInt64)
  /// `format` is not a number in a file.
  case badFormat
  /// The file system does not know hard links.
  case noHardLinks
  /// The file system does not know symbolic links.
  case noSymbolicLinks
  /// A file belongs to another user, and the kernel lets nobody else give it a name.
  case foreignFile(String)
  /// A line of `groups` is not a data group that can be deselected.
  case badGroups(line: Int)
  /// `groups` exists and is not a file.
  case strayGroups

  package var sentence: String {
    switch self {
    case .strayCurrent:
      "\"current\" does not name a generation; move it elsewhere and run \"tinyupdater repair\", or set another root"
    case .newerFormat(let format, let known):
      "a newer tinyupdater has given it format \(format), and this one knows formats up to \(known); run that one again, "
        + "or name another root; its maps can still be read, and nothing was changed"
    case .badFormat:
      "its file \"format\" does not hold the number of a format; move it elsewhere if no newer tinyupdater has used this store"
    case .badGroups(let line):
      "line \(line) of its file \"groups\" is not a data group; remove the file to select all of them"
    case .strayGroups: "\"groups\" is not a file; remove it to select all data groups"
    case .noHardLinks: "its file system has no hard links; use ext4, f2fs, btrfs, xfs or ubifs"
    case .noSymbolicLinks: "its file system has no symbolic links; use ext4, f2fs, btrfs, xfs or ubifs"
    case .foreignFile(let name):
      "its file \(name) belongs to another user, so that the kernel refuses it another name (fs.protected_hardlinks); "
        + "give all files of the store to the user who has its directory: chown -R"
    }
  }
}
