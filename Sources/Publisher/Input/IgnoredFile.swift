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
    case noData

    package var text: String {
      switch self {
      case .hidden: "hidden"
      case .notAFile: "neither a file nor a directory, or a symbolic link"
      case .document: "not map data by its extension"
      case .noData: "no data file beside it, and no package below"
      }
    }
  }
}
