package import Catalog
package import MapModel
internal import Platform
internal import Store

/// What is wrong with the maps that are to be published.
package enum InputError: Error, Equatable {
  /// A file holds something that is not allowed.
  case rejected(CatalogError)
  /// `links`: symbolic links and special files that were ignored.
  case noComponents(path: String, links: Int)
  /// Components of the previous release are not in the input.
  case componentsGone(count: Int, allowed: Int, path: String, lost: LostPackages)
  /// More packages were replaced than devices can remember.
  case tooManyReplaced(Int)
  /// A device with all maps of the previous release would download `size` bytes, of `full` for them in full; the
  /// percentage that is allowed, and the components that most of it is for.
  case downloadTooLarge(_ size: UInt64, of: UInt64, allowed: UInt64, largest: [ComponentName])
  /// The name of a data file gives no data group.
  case noDataGroup(path: String)
  /// The directory of a data file gives no package id.
  case noPackage(path: String)
  /// A data file is in no directory that could be its package.
  case noDirectory(path: String)
  case nameNotUTF8(path: String)
  /// A name or text holds a control character; its code point.
  case controlCharacter(path: String, codePoint: String)
  case tooDeep(path: String)
  /// Two names give the same part of an id.
  case sameID(String, String, String)
  /// A file would be plain where devices have it as a `.dat` file.
  case formChanges(path: String, old: String)
  /// A component would consist of too many files.
  case tooManyFiles(path: String, count: Int)
  /// The path of a file cannot be one on a device.
  case noPath(path: String)
  /// Two files would take one place on a device.
  case samePath(String, first: String, second: String)
  case sameComponent(ComponentName, first: String, second: String)
  /// A package lies below another: only leaves can be installed.
  case nestedPackages(outer: String, inner: String)
  /// Two files describe one region.
  case sameRegion(PackageID, first: String, second: String)
  case descriptionTooLarge(path: String, bytes: UInt64)
  case changedWhileRead(path: String)
  case disappeared(path: String)
  /// A database of SQLite is not whole without the file beside it.
  case unfinishedDatabase(path: String, companion: SQLiteCompanion.Kind)
  /// Two names that people cannot tell apart, and where they are used.
  case similarNames(String, String, first: String, second: String)
  /// Several files or directories have names that cannot be published; `more` others are not listed.
  indirect case severalNames([InputError], more: Int)
  /// An archive cannot be unpacked.
  case archive(path: String, ArchiveFlaw)
  /// The catalog of all components is larger than devices accept.
  case catalogTooLarge(bytes: UInt64)

  /// What happened, to which file, and what to do next.
  package var sentence: String {
    switch self {
    case .rejected(let error): "\(error.sentence). Correct the file and repeat the command."
    case .noComponents(let path, links: 0):
      "\(path) has no data files: files with map data were expected, such as europe/malta/base.gpkg. Name another directory."
    case .noComponents(let path, let links):
      """
      \(path) has no data files, only \(links) symbolic links or special files, which are not followed. Put the files \
      themselves there.
      """
    case .componentsGone(let count, let allowed, let path, let lost):
      """
      \(path) lacks \(count) of the previous release's components; --allow-removed permits \(allowed). Nothing was \
      published. \(lost.sentences.map { $0 + " " }.joined())Restore them, or repeat the command with --allow-removed \(count).
      """
    case .tooManyReplaced(let count):
      """
      \(count) packages of this repository would have been replaced by others; devices can remember \
      \(CatalogLimits.replaced). Keep some ids as they were.
      """
    case .downloadTooLarge(let size, let full, let allowed, let largest):
      """
      A device with the previous release would download \(ByteCount(size).text), \(ByteCount(size).share(of: full)) \
      of what its maps are in full; --max-download permits \(allowed) %. Nothing was published. Most of \
      it is for \(largest.map(\.path).joined(separator: ", ")). See what changed in their files, or repeat the command \
      with a higher --max-download, which uses the payloads that were made.
      """
    case .noDataGroup(let path):
      """
      \(path): the part of the name before the first dot must be a data group, such as "base" in "base.gpkg": 1 to 64 \
      bytes without backslashes. Rename it.
      """
    case .noPackage(let path):
      """
      \(path): the name of the directory is not a valid package id: 1 to 200 bytes without backslashes, \
      and no part may begin with a dot. Rename the directory, or set id="…" in a map.xml.
      """
    case .noDirectory(let path):
      """
      \(path) is in no package: the map.xml in its directory has no id. Set id="…" there.
      """
    case .nameNotUTF8(let path): "\(path): the name is not UTF-8. Rename it."
    case .controlCharacter(let path, let codePoint):
      "\(path): a name holds the invisible character \(codePoint). Remove it."
    case .tooDeep(let path):
      """
      \(path) is nested too deeply: an id has at most eight parts, and directories are searched 32 levels deep. Move it \
      up, or set id="…" in a map.xml.
      """
    case .sameID(let id, let first, let second):
      """
      "\(first)" and "\(second)" would both be "\(id)" in an id, which has no spaces. Rename one of them.
      """
    case .formChanges(let path, let old):
      """
      \(path): devices have this map as \(old), with a description in front of the data. Repeat the command with --form \
      dat to keep that form, or with --form plain to publish files as they are; devices then get them by patches, and \
      programs that read them have to expect the other name and form.
      """
    case .tooManyFiles(let path, let count):
      """
      \(path) has \(count) files; a package that is a tree can have \(TreeFront.maximumCount). Make packages of the \
      directories in it.
      """
    case .noPath(let path):
      """
      \(path) cannot be the path of a map on a device, which has at most \(ComponentPath.maximumSize) bytes, \
      \(ComponentPath.maximumPart) in each part, and no backslashes. Rename it.
      """
    case .samePath(let path, let first, let second):
      "\(first) and \(second) would both need \(path) on a device. Rename one of them, or change its id in map.xml."
    case .sameComponent(let name, let first, let second):
      "\(first) and \(second) are both \(name.path) on a device. Remove one of them."
    case .nestedPackages(let outer, let inner):
      "\(inner) lies below the package of \(outer), but packages cannot contain packages. Move one of them."
    case .sameRegion(let id, let first, let second):
      "\(first) and \(second) both describe the region \(id). Remove one of them."
    case .descriptionTooLarge(let path, let bytes):
      """
      \(path): its description would take \(ByteCount(UInt64(bytes)).atLeast); \(ByteCount(UInt64(CatalogLimits.description)).text) are allowed. Simplify the \
      polygons.
      """
    case .changedWhileRead(let path):
      "\(path) changed while it was being read. Repeat the command when it is complete."
    case .disappeared(let path):
      "\(path) disappeared while the input was being read. Repeat the command when the input is complete."
    case .unfinishedDatabase(let path, .journal):
      """
      \(path) belongs to an unfinished change of the database beside it. Close the program that writes the database, or \
      open it once with sqlite3 if that program was interrupted, and repeat the command.
      """
    case .unfinishedDatabase(let path, .writeAheadLog), .unfinishedDatabase(let path, .sharedMemory):
      """
      \(path) holds changes that are not yet in the database beside it. Close the program that writes the database, or \
      run "PRAGMA wal_checkpoint(TRUNCATE)" on it, and repeat the command.
      """
    case .similarNames(let name, let other, let first, let second):
      """
      "\(name)" and "\(other)" differ only in capital letters, or in how their letters are encoded (Unicode \
      normalization): \(first), \(second). Give both the same name, or names that differ.
      """
    case .severalNames(let errors, let more):
      errors.map(\.sentence).joined(separator: " ")
        + (more > 0 ? " \(more) more names cannot be published." : "")
    case .archive(let path, let flaw): flaw.sentence(path)
    case .catalogTooLarge(let bytes):
      """
      The catalog would have \(ByteCount(UInt64(bytes)).atLeast); \(ByteCount(UInt64(CatalogLimits.catalogFile)).text) are allowed. Split the maps into several \
      repositories.
      """
    }
  }
}

extension InputError {
  /// It is about one name, so that others may have the like.
  var isOfName: Bool {
    switch self {
    case .noDataGroup, .noPackage, .noDirectory, .noPath, .sameID, .nameNotUTF8, .controlCharacter, .tooDeep:
      true
    case .rejected, .noComponents, .componentsGone, .tooManyFiles, .tooManyReplaced, .downloadTooLarge,
      .samePath,
      .sameComponent,
      .nestedPackages,
      .sameRegion, .formChanges, .descriptionTooLarge, .changedWhileRead, .disappeared, .unfinishedDatabase,
      .similarNames,
      .severalNames, .archive, .catalogTooLarge:
      false
    }
  }
}
