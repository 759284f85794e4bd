internal import Catalog
internal import MapTree
internal import Platform

extension CatalogEntry {
  /// The entry with the patches that the repository still has: `Pruning` removes those that no device downloads any more,
  /// and leaves the signed catalogs as they are.
  ///
  /// Every reader of a catalog asks here which of its patches are served. A file of another size is damage, which the reader
  /// of the file reports.
  func served(by repository: borrowing Directory) throws(PublisherError) -> CatalogEntry {
    var entry = self
    entry.patches = []
    for patch in patches where try repository.fileSize(of: patch.container.url) != nil {
      entry.patches.append(patch)
    }
    return entry
  }

  /// All files of a payload are served.
  func serves(_ payload: Payload, by repository: borrowing Directory) throws(PublisherError) -> Bool {
    let served = try served(by: repository).patches.map(\.container)
    return switch payload {
    case .staged, .whole, .packed: true
    case .patch(let container, _): served.contains(container)
    case .chain(let patches, _): patches.allSatisfy { served.contains($0.container) }
    }
  }
}
