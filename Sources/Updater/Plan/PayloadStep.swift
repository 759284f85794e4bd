internal import Catalog
internal import DeltaApply
internal import MapTree
internal import Store

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

    /// In bytes.
    var size: UInt64 {
      switch self {
      case .nothing: 0
      case .made(let before): before.size
      case .installed(let base): base.size
      }
    }
  }

  /// What is known of the container before its first byte.
  var expectation: PatchExpectation {
    PatchExpectation(
      head: container.head, containerSize: container.size, oldSize: base.size, newSize: target.size)
  }
}

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
