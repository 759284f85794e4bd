package import MapModel
package import Platform
package import Store

/// What the store says of an update in place, to those that only look.
package struct InPlaceState: Equatable {
  /// The release that it leads to; nil if its journal is damaged.
  package let target: CatalogedRelease?
  package let progress: Progress

  /// Nil if none is under way.
  package init?(of store: borrowing Store) throws(Failure) {
    let found = try store.openInPlace()
    guard let folder = found else { return nil }
    do throws(Failure) {
      var reader = try JournalReader(folder)
      (target, progress) = (reader.target, try reader.readProgress().progress)
    } catch {
      guard case .badManifest = error else { throw error }
      (target, progress) = (nil, Progress())
    }
  }
}
