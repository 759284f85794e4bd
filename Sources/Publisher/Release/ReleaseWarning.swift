package import MapModel
internal import Platform

/// Something that may be a mistake of the publisher, and does not stop the release.
package enum ReleaseWarning: Equatable, Sendable {
  /// A database in WAL mode without the file that its last changes would be in.
  case writeAheadLog(path: String)
  /// Names that will change with the next release: the first path, and how many others.
  case datedNames(first: String, others: Int)
  /// Archives in the input, which are published as they are.
  case archives(first: String, others: Int)
  /// Packages without the data group that every device has.
  case withoutBase(first: PackageID, others: Int)
  /// Packages are said to replace some that no release had.
  case unknownReplaced(first: PackageID, others: Int)
  /// A `map.xml` of a region says where it is.
  case boundsOfRegion(path: String)
  /// Payloads that jobs or an interrupted run made in another way.
  case unusedPayloads(Int, path: String)

  /// What was found, and what to do about it.
  package var sentence: String {
    switch self {
    case .writeAheadLog(let path):
      """
      \(path) is in SQLite's WAL mode. If a program was writing it, its last changes are in another file, \
      \(path)-wal, and are not published. Run "PRAGMA journal_mode = DELETE" on it, which also spares the devices that mode.
      """
    case .datedNames(let first, let others):
      """
      The name of \(first)\(ReleaseWarning.and(others)) has a number that looks like a date. Devices know maps by their names: \
      with another number, the next release lacks these maps and has new ones. \(ReleaseWarning.remedy(for: first))
      """
    case .archives(let first, let others):
      """
      \(first)\(ReleaseWarning.and(others)): an archive below the input is published as one file. If maps are in it, unpack it, \
      or name it in the place of the directory.
      """
    case .withoutBase(let first, let others):
      """
      The package \(first.text)\(ReleaseWarning.and(others)) has no data group "base", the only one that every device \
      with the package has. Call the file with its main data base.EXTENSION.
      """
    case .unknownReplaced(let first, let others):
      """
      The input says that \(first)\(ReleaseWarning.and(others)) is replaced, and the release before has no such package. \
      Correct replaces="…" in map.xml if a device may have it.
      """
    case .boundsOfRegion(let path):
      """
      \(path) is about a region, whose bounds and polygons are not used. A map that says where it is needs a directory of \
      its own, with its map.xml in there.
      """
    case .unusedPayloads(let count, let path):
      """
      \(count) payload\(count == 1 ? "" : "s") in \(path) were made with another --memory or by another version of \
      tinypublish, and are made again. Stop the command if that is a mistake.
      """
    }
  }

  private static func remedy(for path: String) -> String {
    let name = path.parts(separatedBy: "/").last ?? ""
    guard DataFileName(name).hasDate, let layout = NameLayout.withoutVersion(of: name) else {
      return "Leave the number out; --label is the place for it."
    }
    return "Leave the number out, or take it out of their ids with --layout '\(layout.text)'."
  }

  private static func and(_ others: Int) -> String {
    others == 0 ? "" : others == 1 ? ", like one other," : ", like \(others) others,"
  }
}
