internal import MapModel
internal import Platform
internal import Store

/// The catalog of the newest known release, open twice: once for each walk.
struct KnownCatalog: ~Copyable {
  let release: Release
  private var first: File?
  private var second: File?

  private init(_ release: Release, first: consuming File?, second: consuming File?) {
    self.release = release
    self.first = first
    self.second = second
  }

  /// Nil if no release is known, or its catalog was not kept.
  static func open(_ root: String) throws(Failure) -> KnownCatalog? {
    guard let cache = try CatalogCache.open(root), let known = try cache.known() else { return nil }
    let first = try cache.open(known.newest.catalog)
    let second = try cache.open(known.newest.catalog)
    let isThere = first != nil && second != nil
    guard isThere else { return nil }
    return KnownCatalog(known.newest.release, first: first, second: second)
  }

  mutating func takeFile() -> File? {
    if let file = first.take() { return file }
    return second.take()
  }
}
