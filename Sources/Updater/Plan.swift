package import Catalog
internal import Platform
package import Store

/// How one component comes to the device.
package enum Payload: Equatable {
  /// It is in staging already, complete and verified.
  case staged
  case patch(Container, from: InstalledComponent)
  case packed(Container)
  /// The file itself.
  case whole(url: String, size: UInt64)

  /// Bytes on the wire.
  package var download: UInt64 {
    switch self {
    case .staged: 0
    case .patch(let container, _), .packed(let container): container.size
    case .whole(_, let size): size
    }
  }

  package var container: Container? {
    switch self {
    case .staged, .whole: nil
    case .patch(let container, _), .packed(let container): container
    }
  }

  /// The installed component that a patch starts from.
  var base: InstalledComponent? {
    guard case .patch(_, let base) = self else { return nil }
    return base
  }

  /// "staged", "patch" or "full".
  package var word: String {
    switch self {
    case .staged: "staged"
    case .patch: "patch"
    case .packed, .whole: "full"
    }
  }

  /// The payload with the fewest bytes that can be applied in `memory` bytes.
  static func choose(
    _ entry: CatalogEntry, installed: InstalledComponent?, memory: UInt64
  ) -> Payload {
    let full = full(entry, memory: memory)
    guard let installed, let patch = entry.patch(from: installed.digest), patch.container.memory <= memory,
      patch.container.size < full.download
    else { return full }
    return .patch(patch.container, from: installed)
  }

  /// The same without a patch.
  ///
  /// The file itself always fits.
  static func full(_ entry: CatalogEntry, memory: UInt64) -> Payload {
    guard let packed = entry.packed, packed.memory <= memory, packed.size < entry.size else {
      return .whole(url: entry.url, size: entry.size)
    }
    return .packed(packed)
  }
}

/// What an operation will take: exact sums over all components.
package struct Plan: Equatable {
  /// Components that stay as they are, come by patch, come in full, or go.
  package private(set) var kept = 0
  package private(set) var patched = 0
  package private(set) var full = 0
  package private(set) var removed = 0
  /// Bytes on the wire.
  package private(set) var patchDownload: UInt64 = 0
  package private(set) var fullDownload: UInt64 = 0
  /// Bytes on the wire if there were no patches.
  package private(set) var downloadWithoutPatches: UInt64 = 0
  /// Bytes of all components of the new generation.
  package private(set) var installedSize: UInt64 = 0
  /// Bytes of the components that are new.
  package private(set) var newSize: UInt64 = 0
  /// Bytes that the file system must give at the worst moment.
  package private(set) var peakDisk: UInt64 = 0
  /// Bytes that indexes of the new components will need, by the publisher's estimate.
  package private(set) var indexSize: UInt64 = 0
  /// Bytes of memory, the program's own included.
  package private(set) var memory = Limits.ownMemory

  /// The indexes are made here, so that `peakDisk` counts them.
  package let includesIndexes: Bool

  private let space: Space
  private var occupied: UInt64 = 0

  /// - `space`: of the file system, which rounds every file up to its blocks.
  /// - `includesIndexes`: an index is made of each new component that the publisher says one can be made of.
  init(space: Space, includesIndexes: Bool = false) {
    self.space = space
    self.includesIndexes = includesIndexes
    occupy(space.block * 16, passing: 0)  // the directories of a generation, its manifest and catalog
  }

  package var download: UInt64 { patchDownload + fullDownload }
  /// There is a component to fetch or to remove.
  package var changesAnything: Bool { patched + full + removed > 0 }
  /// Components that are fetched.
  package var fetched: Int { patched + full }

  mutating func keep(_ entry: CatalogEntry) {
    kept += 1
    installedSize += entry.size
    occupy(space.block, passing: 0)
  }

  mutating func remove() { removed += 1 }

  /// Adds a component that is fetched.
  ///
  /// - `stored`: bytes of the component that staging holds already.
  /// - `storedContainer`: bytes of its container that staging holds already.
  /// - `storedIndex`: bytes of its index that staging holds already.
  mutating func fetch(
    _ entry: CatalogEntry, _ payload: Payload, stored: UInt64, storedContainer: UInt64,
    storedIndex: UInt64 = 0
  ) {
    switch payload {
    case .patch(let container, _):
      patched += 1
      patchDownload += container.size - min(storedContainer, container.size)
    case .packed(let container):
      full += 1
      fullDownload += container.size - min(storedContainer, container.size)
    case .whole(_, let size):
      full += 1
      fullDownload += size - min(stored, size)
    case .staged: full += 1
    }
    downloadWithoutPatches += entry.fullDownload
    installedSize += entry.size
    newSize += entry.size
    indexSize = indexSize.saturatingSum(entry.description.indexSize)
    memory = max(memory, Limits.ownMemory + (payload.container?.memory ?? 0))
    let container = space.allocated(payload.container?.size ?? 0)
    let file = space.allocated(entry.size)
    // A block more for the directory that the link goes to.
    occupy(
      file - min(space.allocated(stored), file) + space.block,
      passing: container - min(space.allocated(storedContainer), container))
    if includesIndexes && entry.description.indexSize > 0 {
      let index = space.allocated(entry.description.indexSize)
      // A block more for what the index command says.
      occupy((index - min(space.allocated(storedIndex), index)).saturatingSum(space.block), passing: 0)
    }
  }

  /// Counts bytes that stay until the commit, and bytes that only pass through.
  private mutating func occupy(_ staying: UInt64, passing: UInt64) {
    occupied = occupied.saturatingSum(staying)
    peakDisk = max(peakDisk, occupied.saturatingSum(passing))
  }
}

extension UInt64 {
  /// The sum, or the largest number: what a publisher says of sizes must not stop the program.
  fileprivate func saturatingSum(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
