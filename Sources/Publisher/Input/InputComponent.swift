internal import Catalog
internal import CatalogWriting

/// A data file of the input, and what its component will say about it.
struct InputComponent: Sendable {
  /// Where the file lies, as the user wrote it.
  let path: String
  let kind: Kind
  let description: Description

  /// What the file holds.
  enum Kind: Equatable {
    /// Data, which a description is put in front of.
    case data
    /// A component as it is to be published.
    case ready(size: UInt64)
  }

  /// The bytes that stand before the file's own in the component of `release`.
  func front(_ release: Release) -> [UInt8] {
    guard kind == .data else { return [] }
    var description = description
    description.release = release
    return ComponentFile.front(of: description)
  }
}

/// Something in the input that is not published.
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
