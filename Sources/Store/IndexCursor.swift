internal import MapModel
internal import Platform

/// Finds the indexes of components that stay, in the manifest of the generation that they come from.
///
/// Both are in the order of the manifest, so that one entry at a time is enough.
struct IndexCursor: ~Copyable {
  private var manifest: ManifestReader?
  private var next: InstalledComponent?
  private var hasBegun = false

  init() { manifest = nil }

  /// The index of the same file in `generation`; nil if it has none.
  mutating func index(
    of component: InstalledComponent, in generation: borrowing Generation
  ) throws(Failure) -> InstalledIndex? {
    if !hasBegun { try begin(generation) }
    while let candidate = next, candidate.name < component.name { try advance() }
    guard let next, next.name == component.name, next.digest == component.digest else {
      return nil
    }
    return next.index
  }

  /// A generation whose manifest is lost has components, and no indexes.
  private mutating func begin(_ generation: borrowing Generation) throws(Failure) {
    hasBegun = true
    do throws(Failure) {
      let reader = try generation.manifest()
      manifest = consume reader
    } catch {
      guard case .badManifest = error else { throw error }
      return
    }
    try advance()
  }

  private mutating func advance() throws(Failure) {
    guard var reader = manifest.take() else {
      next = nil
      return
    }
    next = try reader.next()
    manifest = consume reader
  }
}
