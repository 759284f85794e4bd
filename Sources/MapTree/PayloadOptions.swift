package import Catalog
package import Crypto
package import Store

/// The payloads that can produce a component: the smallest of each kind that this device can apply.
package struct PayloadOptions: Equatable {
  /// Nil if no patch from the installed component is served, or it takes too much memory.
  package let patch: Container?
  /// Empty if no chain from the installed component is served, or it takes too much memory or too many writes.
  package let chain: [Patch]
  /// The packed component, or the file itself.
  package let full: Payload
  private let installed: InstalledComponent?

  /// - `memory`: bytes of memory that applying may take.
  /// - `excluded`: heads of containers that cannot be used: the server no longer has them, or they produce the wrong
  ///   file.
  package init(
    _ entry: CatalogEntry, installed: InstalledComponent?, memory: UInt64, without excluded: [Digest] = []
  ) {
    self.installed = installed
    func isAdmitted(_ container: Container) -> Bool {
      container.memory <= memory && !excluded.contains(container.head)
    }
    if let packed = entry.packed, packed.size < entry.size, isAdmitted(packed) {
      full = .packed(packed)
    } else {
      full = .whole(url: entry.url, size: entry.size)
    }
    // If the digests are equal, only the file is lost: there is nothing to patch from.
    guard let installed, installed.digest != entry.digest else {
      patch = nil
      chain = []
      return
    }
    patch = entry.patch(from: installed.digest).flatMap { isAdmitted($0.container) ? $0.container : nil }
    let writes = MapTreeLimits.chainWrites.multipliedReportingOverflow(by: entry.size)
    let most = writes.overflow ? UInt64.max : writes.partialValue
    let chains = entry.chains(from: installed.digest) { isAdmitted($0.container) }
    chain = chains.first { $0.intermediates <= most } ?? []
  }

  /// The payload with the smallest download; of equal ones, the one with fewer steps.
  package var cheapest: Payload {
    guard let installed else { return full }
    var cheapest = full
    if let patch, patch.size < cheapest.download { cheapest = .patch(patch, from: installed) }
    if !chain.isEmpty, chain.download < min(cheapest.download, patch?.size ?? .max) {
      cheapest = .chain(chain, from: installed)
    }
    return cheapest
  }
}
