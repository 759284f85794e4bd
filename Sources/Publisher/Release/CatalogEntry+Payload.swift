internal import Catalog
internal import Crypto
internal import MapTree
internal import Store

extension CatalogEntry {
  /// The download of a device with the usual budget that has `old`, or nothing.
  func payload(from old: CatalogEntry?) -> Payload {
    let installed = old.map { InstalledComponent($0.name, release: 0, size: $0.size, digest: $0.digest) }
    return PayloadOptions(self, installed: installed, memory: PublisherLimits.deviceMemory).cheapest
  }
}

extension CatalogIndex {
  /// The download of a device with these components, for a component of a later release; nil if it has the same.
  func payload(for entry: CatalogEntry) -> Payload? {
    if let same = self[entry.name] { return same.digest == entry.digest ? nil : entry.payload(from: same) }
    if component(with: entry.digest) != nil { return nil }
    let bases = entry.patches.compactMap { component(with: $0.from) }
    return ([nil] + bases).map { entry.payload(from: $0) }.min { $0.download < $1.download }
  }
}
