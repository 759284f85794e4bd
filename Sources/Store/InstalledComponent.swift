package import Crypto
package import MapModel

/// A component of a generation.
package struct InstalledComponent: Equatable {
  package let name: ComponentName
  /// The release that last changed it.
  package let release: UInt64
  package let size: UInt64
  package let digest: Digest
  /// What the index command has made of it on this device; nil: it has none.
  package var index: InstalledIndex?

  package init(
    _ name: ComponentName, release: UInt64, size: UInt64, digest: Digest, index: InstalledIndex? = nil
  ) {
    self.name = name
    self.release = release
    self.size = size
    self.digest = digest
    self.index = index
  }

  /// It consists of many files.
  package var isTree: Bool { name.file.isTree }
  /// Where it lies below the generation.
  package var path: String { "maps/\(name.file.place)" }
  /// Where its index lies, if it has one.
  package var indexPath: String { "maps/\(name.indexPath)" }
}
