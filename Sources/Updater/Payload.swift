package import Catalog
package import Crypto
package import Store

/// How one component comes to the device.
package enum Payload: Equatable {
  /// It is in staging already, complete and verified.
  case staged
  case patch(Container, from: InstalledComponent)
  /// Several patches, one after the other.
  case chain([Patch], from: InstalledComponent)
  case packed(Container)
  /// The file itself.
  case whole(url: String, size: UInt64)

  /// Bytes on the wire.
  package var download: UInt64 {
    switch self {
    case .staged: 0
    case .patch(let container, _), .packed(let container): container.size
    case .chain(let patches, _): patches.download
    case .whole(_, let size): size
    }
  }

  /// Bytes of memory that applying takes.
  package var memory: UInt64 {
    switch self {
    case .staged, .whole: 0
    case .patch(let container, _), .packed(let container): container.memory
    case .chain(let patches, _): patches.reduce(0) { max($0, $1.container.memory) }
    }
  }

  /// The installed component that patches start from.
  var base: InstalledComponent? {
    switch self {
    case .patch(_, let base), .chain(_, let base): base
    case .staged, .packed, .whole: nil
    }
  }

  /// "staged", "patch", "chain" or "full".
  package var way: String {
    switch self {
    case .staged: "staged"
    case .patch: "patch"
    case .chain: "chain"
    case .packed, .whole: "full"
    }
  }

  /// Containers and what they make, in the order in which they are applied; none for a file that comes as it is.
  func steps(to entry: CatalogEntry) -> [PayloadStep] {
    let own = Intermediate(digest: entry.digest, size: entry.size)
    switch self {
    case .staged, .whole: return []
    case .packed(let container): return [PayloadStep(container: container, target: own, base: .nothing)]
    case .patch(let container, let base):
      return [PayloadStep(container: container, target: own, base: .installed(base))]
    case .chain(let patches, let base):
      var steps: [PayloadStep] = []
      for patch in patches {
        let from: PayloadStep.Base = steps.last.map { .made($0.target) } ?? .installed(base)
        steps.append(PayloadStep(container: patch.container, target: patch.to ?? own, base: from))
      }
      return steps
    }
  }
}

/// One container of a payload, and the file that it makes.
struct PayloadStep: Equatable {
  let container: Container
  /// The component itself, or an older one on the way to it.
  let target: Intermediate
  let base: Base

  /// What a container is applied to.
  enum Base: Equatable {
    case nothing
    case installed(InstalledComponent)
    /// What the step before has left in staging.
    case made(Intermediate)
  }
}

/// In which ways a component can come: the cheapest of each kind that this device can take.
package struct Ways: Equatable {
  /// Nil: none is served from what is installed, or it takes too much memory.
  package let patch: Container?
  /// Empty: none is served from what is installed, or it takes too much memory or too many writes.
  package let chain: [Patch]
  /// Packed, or the file itself.
  package let full: Payload
  private let installed: InstalledComponent?

  /// - `memory`: bytes that applying may take.
  /// - `excluded`: containers that are of no use, by their heads: the server does not have them any more, or they make
  ///   another file.
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
    // Of the same component only the file is lost.
    guard let installed, installed.digest != entry.digest else {
      patch = nil
      chain = []
      return
    }
    patch = entry.patch(from: installed.digest).flatMap { isAdmitted($0.container) ? $0.container : nil }
    let writes = Limits.chainWrites.multipliedReportingOverflow(by: entry.size)
    let most = writes.overflow ? UInt64.max : writes.partialValue
    let chains = entry.chains(from: installed.digest) { isAdmitted($0.container) }
    chain = chains.first { $0.intermediates <= most } ?? []
  }

  /// The way with the fewest bytes on the wire; of two that take as many the one with fewer steps.
  package var best: Payload {
    guard let installed else { return full }
    var best = full
    if let patch, patch.size < best.download { best = .patch(patch, from: installed) }
    if !chain.isEmpty, chain.download < min(best.download, patch?.size ?? .max) {
      best = .chain(chain, from: installed)
    }
    return best
  }
}
