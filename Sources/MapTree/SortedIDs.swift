internal import Catalog
package import MapModel
internal import Platform

/// Ids of packages and regions in the order of their bytes, among which many packages are looked up.
package struct SortedIDs: Equatable {
  package let all: [PackageID]

  package init(_ ids: [PackageID] = []) {
    var all: [PackageID] = []
    for id in ids.sorted() where id != all.last { all.append(id) }
    self.all = all
  }

  package var isEmpty: Bool { all.isEmpty }

  /// One of them is `id`, or a region above it.
  package func includes(_ id: PackageID) -> Bool { !indices(containing: id).isEmpty }

  /// One of them is a region above all packages of the part, or is the only one that it lists.
  func includesAll(of part: CatalogPart) -> Bool {
    let last = indices(containing: part.last)
    return indices(containing: part.first).contains { last.contains($0) }
  }

  /// The part may list one of them, or a package below one.
  func mayBe(in part: CatalogPart) -> Bool { !indices(in: part).isEmpty }

  /// The indices of those that are `id`, or a region above it.
  func indices(containing id: PackageID) -> [Int] {
    let end = all.partitionPoint { !(id < $0) }
    guard end > 0 else { return [] }
    // What `id` begins with lies before it, and all between begin with that too: also the last one of them.
    let (text, shared) = (id.text.utf8, Identifier.sharedCount(all[end - 1].text, id.text))
    var indices: [Int] = []
    for place in text.indices.prefix(shared + 1) where text[place] == UInt8(ascii: "/") {
      if let index = index(of: text[..<place]) { indices.append(index) }
    }
    if all[end - 1] == id { indices.append(end - 1) }
    return indices
  }

  /// The indices of those that the part may list, or list packages of.
  func indices(in part: CatalogPart) -> [Int] {
    let (first, end) = (all.partitionPoint { $0 < part.first }, all.partitionPoint { !(part.last < $0) })
    return indices(containing: part.first) + indices(containing: part.last) + Array(first..<end)
  }

  private func index(of text: Substring.UTF8View) -> Int? {
    let index = all.partitionPoint { $0.text.utf8.lexicographicallyPrecedes(text) }
    return index < all.count && all[index].text.utf8.elementsEqual(text) ? index : nil
  }
}
