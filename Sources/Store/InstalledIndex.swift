package import Crypto

/// The index of a component.
package struct InstalledIndex: Equatable {
  package let size: UInt64
  package let digest: Digest

  package init(size: UInt64, digest: Digest) {
    self.size = size
    self.digest = digest
  }
}
