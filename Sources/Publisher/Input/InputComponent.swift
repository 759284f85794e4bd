internal import Catalog
internal import CatalogWriting
internal import MapModel

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
