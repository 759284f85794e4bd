internal import Catalog
internal import Crypto

/// The payloads that the releases list from which patches are made, by the files that they are made from and make.
///
/// Payloads that no release lists yet are in `PayloadCache`. Payloads of older releases are not known: nothing here grows with them.
struct PayloadIndex: Sendable {
  private var containers: [Key: Container] = [:]

  private struct Key: Hashable {
    /// Nil for a packed component.
    let old: Digest?
    let new: Digest
  }

  /// - `window`: the releases; their catalogs are trusted about their payloads, which may be gone.
  init(_ window: [CatalogIndex]) {
    for entry in window.lazy.flatMap(\.entries) {
      if let packed = entry.packed { add(packed, for: Key(old: nil, new: entry.digest)) }
      for patch in entry.patches {
        add(patch.container, for: Key(old: patch.from, new: patch.to?.digest ?? entry.digest))
      }
    }
  }

  /// The container that makes `new` from `old`; without a base if that is nil.
  subscript(old: Digest?, new: Digest) -> Container? { containers[Key(old: old, new: new)] }

  /// Of two for the same files the smaller one counts, independent of the order of the releases.
  private mutating func add(_ container: Container, for key: Key) {
    if let other = containers[key], (other.size, other.url) < (container.size, container.url) { return }
    containers[key] = container
  }
}
