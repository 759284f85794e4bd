package import Catalog
package import DeltaApply
package import Store

/// One container of a payload, and the file that it makes.
package struct PayloadStep: Equatable {
  package let container: Container
  /// The component itself, or an older one on the way to it.
  package let target: Intermediate
  package let base: Base

  /// What a container is applied to.
  package indirect enum Base: Equatable {
    case nothing
    case installed(InstalledComponent)
    /// What the step before has made.
    case made(Intermediate)

    /// In bytes.
    package var size: UInt64 {
      switch self {
      case .nothing: 0
      case .made(let before): before.size
      case .installed(let base): base.size
      }
    }
  }

  package init(container: Container, target: Intermediate, base: Base) {
    (self.container, self.target, self.base) = (container, target, base)
  }

  /// What is known of the container before its first byte.
  package var expectation: PatchExpectation {
    PatchExpectation(
      head: container.head, containerSize: container.size, oldSize: base.size, newSize: target.size)
  }
}
