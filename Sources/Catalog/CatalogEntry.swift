package import Crypto
package import MapModel

/// One component of a release: its description, and how it can be had.
package struct CatalogEntry: Equatable {
  package var description: Description
  /// The whole file: where (relative to the repository), how many bytes, which.
  package var url: String
  package var size: UInt64
  package var digest: Digest
  /// How many files it consists of; nil: it is a single file.
  package var files: UInt64?
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

  /// The entry as the outline of a part has it: with what listings show, and without what a download needs.
  package var outlined: CatalogEntry {
    var outline = Description(
      name: name, group: "", country: "", region: "", release: Release(number: 0, label: ""), dataSize: 0,
      indexSize: description.indexSize, isDetail: description.isDetail)
    outline.geography.names = description.geography.names
    return CatalogEntry(
      description: outline, url: "", size: size, digest: Digest(),
      packed: packed.map { Container(url: "", size: $0.size, head: Digest(), memory: $0.memory) })
  }

  /// The bytes of a full download.
  package var fullDownload: UInt64 { packed?.size ?? size }

  /// The payloads that are listed for it, whole or as a patch.
  package var containers: [Container] { [packed].compactMap { $0 } + patches.map { $0.container } }

  /// The patch that makes the entry's own file from `base`; nil if there is none.
  package func patch(from base: Digest) -> Patch? { patches.first { $0.from == base && $0.to == nil } }
}
