internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform

/// What a device with all packages of an older release downloads to have them at a newer one.
///
/// Each component in the way that takes the fewest bytes, as a device plans it. New packages are not part of it, new data
/// groups are.
struct DeviceDownload: Sendable {
  /// Components by how they come to the device.
  private(set) var unchanged = 0
  private(set) var patched = 0
  /// By several patches, one after the other.
  private(set) var chained = 0
  private(set) var inFull = 0
  /// Bytes of all payloads.
  private(set) var bytes: UInt64 = 0
  /// Bytes that the same components would take in full.
  private(set) var fullDownload: UInt64 = 0

  init(of catalog: CatalogIndex, from base: CatalogIndex) {
    for package in catalog.entries[...].packages {
      guard let id = package.first?.name.id, base.hasPackage(id) else { continue }
      for entry in package { add(entry, from: base) }
    }
  }

  private mutating func add(_ entry: CatalogEntry, from base: CatalogIndex) {
    fullDownload = fullDownload.saturatingSum(entry.fullDownload)
    guard let payload = base.payload(for: entry) else {
      unchanged += 1
      return
    }
    bytes = bytes.saturatingSum(payload.download)
    switch payload {
    case .patch: patched += 1
    case .chain: chained += 1
    case .packed, .whole: inFull += 1
    case .staged: break
    }
  }
}
