package import Catalog

extension ComponentFile {
  /// The first bytes of a component: the size of its description, and the description.
  package static func front(of description: Description) -> [UInt8] {
    let document = Array(description.document.utf8)
    let size = UInt64(document.count)
    return (0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + document
  }
}
