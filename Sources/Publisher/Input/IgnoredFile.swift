/// A file or directory of the input that is not published.
package struct IgnoredFile: Equatable, Sendable {
  package let path: String
  package let reason: Reason

  /// Why it is not published.
  package enum Reason: Equatable, Sendable {
    case hidden
    /// A symbolic link, or something that is neither a file nor a directory.
    case notAFile
    case document
    /// `Thumbs.db` and the like.
    case systemFile
    /// A file of SQLite that holds nothing which its database lacks.
    case emptyCompanion
    case noData
    /// A `map.xml` at the top of the input.
    case noRegion

    package var text: String {
      switch self {
      case .hidden: "hidden"
      case .notAFile: "neither a file nor a directory, or a symbolic link"
      case .document: "not map data by its extension"
      case .systemFile: "made by Windows"
      case .emptyCompanion: "an empty file of SQLite"
      case .noRegion: "at the top, where no region is that it could describe"
      case .noData: "no data file beside it, and no package below"
      }
    }
  }
}
