internal import Catalog
internal import InPlace
internal import MapTree

extension Payload {
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
