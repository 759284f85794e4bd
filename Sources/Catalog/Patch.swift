package import Crypto

/// A container that makes a component from the older one with the digest `from`.
package struct Patch: Equatable {
  package let from: Digest
  /// What a hop makes: an older component, which another patch starts from.
  ///
  /// Nil: the entry's own file.
  package let to: Intermediate?
  package let container: Container

  package init(from: Digest, to: Intermediate? = nil, container: Container) {
    self.from = from
    self.to = to
    self.container = container
  }
}

/// An older component on the way of a chain.
package struct Intermediate: Equatable {
  package let digest: Digest
  /// In bytes.
  package let size: UInt64

  package init(digest: Digest, size: UInt64) {
    self.digest = digest
    self.size = size
  }
}
