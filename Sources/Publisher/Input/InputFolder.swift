internal import CatalogWriting
internal import MapModel
internal import Platform

/// A directory of the input with data files, whose packages are not decided yet.
struct InputFolder {
  /// As the user wrote it.
  let path: String
  /// The names of the directories that lead here from the input, none for the input itself.
  let parts: [String]
  /// In the order of their names; those of the directories below too, if the folder is a package as a whole.
  var files: [InputFile] = []
  var map: MapFile?

  /// The data files; a finished component says itself where it belongs.
  var data: [InputFile] { files.filter { !$0.isComponent } }

  /// It is one package, and the names of its files say which data groups those are; else each name is a package.
  var isPackage: Bool {
    isDescribed || hasBase || !(map?.replaces.isEmpty ?? true)
  }

  /// `map.xml` says that it is one.
  var isDescribed: Bool {
    guard let map else { return false }
    return map.isTree || map.id != nil || !map.exceptions.isEmpty
  }

  /// A file is called `base`, or as the folder is.
  private var hasBase: Bool { !parts.isEmpty && data.contains { isBase($0.stem) } }

  /// A file with this stem is of the data group that every package has.
  func isBase(_ stem: String) -> Bool {
    Identifier.isSame(stem, DataGroup.essential.text)
      || parts.last.map { Identifier.isSame(stem, $0) } ?? false
  }
}

/// A data file of the input.
struct InputFile {
  /// Its path below the input.
  let parts: [String]
  let size: UInt64

  var name: String { parts.last ?? "" }
  var stem: String { DataFileName(name).stem }
  var isComponent: Bool { DataFileName(name).isComponent }
}
