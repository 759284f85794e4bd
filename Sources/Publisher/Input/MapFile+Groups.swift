internal import CatalogWriting
internal import Glibc
internal import MapModel

extension MapFile {
  /// A file with this name is map data, whatever its extension says.
  func lists(_ name: String) -> Bool { isTree || dataGroup(of: name, named: name) != nil }

  /// The data group whose patterns a file has; nil if it has none.
  ///
  /// - `path`: below the directory of the document, for patterns with a slash; `name`: its last part, for others.
  func dataGroup(of path: String, named name: String) -> DataGroup? {
    exceptions.first { group in
      group.files.contains { fnmatch($0, $0.utf8.contains(UInt8(ascii: "/")) ? path : name, 0) == 0 }
    }?.dataGroup
  }
}
