/// What is wrong with a store's directory.
package enum StoreFlaw: Equatable {
  /// `current` is there but does not name a generation.
  case strayCurrent
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
