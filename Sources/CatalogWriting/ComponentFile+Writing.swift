package import Catalog

extension ComponentFile {
  /// The first bytes of a component: the size of its description, and the description.
  ///
  /// - `size`: if they are fewer, spaces follow, which are part of the description.
  package static func front(of description: Description, filledTo size: Int = 0) -> [UInt8] {
    var document = Array(description.document.utf8)
    document += [UInt8](repeating: UInt8(ascii: " "), count: max(0, size - 8 - document.count))
    let count = UInt64(document.count)
    return (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + document
  }
}
