package import Crypto

/// A compressed catalog, named by its digest.
package struct CatalogReference: Equatable {
  package let digest: Digest
  /// In bytes, as it is served.
  package let size: UInt64

  package init(digest: Digest, size: UInt64) {
    self.digest = digest
    self.size = size
  }
}
