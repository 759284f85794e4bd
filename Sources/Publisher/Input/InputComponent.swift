internal import Catalog
internal import CatalogWriting
internal import MapModel

/// A data file of the input, and the description that its component will have.
struct InputComponent: Sendable {
  /// The path of the file, as the user wrote it; below that of an archive, its name in there.
  let path: String
  /// Where it is read: `path`, or where the archive was unpacked.
  let file: String
  let kind: Kind
  let description: Description

  /// The content of the file.
  enum Kind: Equatable {
    /// Data, which gets a description before it.
    case data
    /// A finished component, published as it is.
    case ready(size: UInt64)
  }

  /// The bytes before the file's own in the component of `release`.
  func front(_ release: Release) -> [UInt8] {
    guard kind == .data else { return [] }
    var description = description
    description.release = release
    return ComponentFile.front(of: description)
  }
}
