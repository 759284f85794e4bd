internal import Crypto

/// A file of a bundle.
package struct BundleFile: Equatable, Sendable {
  /// Relative to the repository, and to the bundle.
  package let name: String
  package let size: UInt64
  /// The digest of the whole file, for files that are named by it.
  let digest: Digest?
  /// Nil: they are read from the repository.
  let bytes: [UInt8]?

  init(name: String, size: UInt64, digest: Digest? = nil) {
    self.name = name
    self.size = size
    self.digest = digest
    bytes = nil
  }

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    size = UInt64(bytes.count)
    digest = nil
  }
}
