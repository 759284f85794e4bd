package import Crypto

/// One component of a release: its description, and how it can be had.
package struct CatalogEntry: Equatable {
  package var description: Description
  /// The whole file: where (relative to the repository), how many bytes, which.
  package var url: String
  package var size: UInt64
  package var digest: Digest
  /// The same file in a smaller container, where that is smaller.
  package var packed: Container?
  package var patches: [Patch]

  package init(
    description: Description, url: String, size: UInt64, digest: Digest, packed: Container? = nil,
    patches: [Patch] = []
  ) {
    self.description = description
    self.url = url
    self.size = size
    self.digest = digest
    self.packed = packed
    self.patches = patches
  }

  package var name: ComponentName { description.name }

  /// The bytes of a full download.
  package var fullDownload: UInt64 { packed?.size ?? size }

  /// The patch that starts from `base`; nil if there is none.
  package func patch(from base: Digest) -> Patch? { patches.first { $0.from == base } }
}

/// A region of the map tree that has a name: an inner node, above one or more packages.
package struct Region: Equatable {
  package let id: String
  /// By language as of BCP 47; the English one has none.
  package let names: [LocalizedName]

  package init(id: String, names: [LocalizedName]) {
    self.id = id
    self.names = names
  }
}

/// A file of compressed instructions (`docs/format.md`, Patch), named by the digest of its head.
package struct Container: Equatable {
  /// Relative to the repository.
  package let url: String
  /// Bytes on the wire.
  package let size: UInt64
  package let head: Digest
  /// Bytes of memory that applying it takes.
  package let memory: UInt64

  package init(url: String, size: UInt64, head: Digest, memory: UInt64) {
    self.url = url
    self.size = size
    self.head = head
    self.memory = memory
  }
}

/// A container that makes a component from the older one with the digest `from`.
package struct Patch: Equatable {
  package let from: Digest
  package let container: Container

  package init(from: Digest, container: Container) {
    self.from = from
    self.container = container
  }
}
