package import Crypto
package import MapModel

/// One component of a release: its description, and how it can be had.
package struct CatalogEntry: Equatable {
  package var description: Description
  /// The whole file: where (relative to the repository), how many bytes, which.
  package var url: String
  package var size: UInt64
  package var digest: Digest
  /// The same file in a smaller container, where that is smaller.
  package var packed: Container?
  /// Those that make this file, and hops: those between two older ones.
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

  /// The patch that makes the entry's own file from `base`; nil if there is none.
  package func patch(from base: Digest) -> Patch? { patches.first { $0.from == base && $0.to == nil } }
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

/// A file of compressed instructions (`docs/format/patch.md`), named by the digest of its head.
package struct Container: Equatable {
  /// The format that this program reads and writes; a catalog that names none means this one.
  package static var format: UInt64 { 2 }

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
