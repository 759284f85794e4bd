internal import MapModel
internal import Platform
internal import Releases
internal import Store

/// The way to newer maps that a rollback has left.
extension Updater {
  /// Makes the generation current that a rollback has left, if the operation names its release; nil if it does not, or if
  /// that generation is gone, damaged or of no use: then the release comes as any other.
  ///
  /// Nothing is asked of the repository.
  func reenter(_ operation: Operation, in store: borrowing LockedStore) throws(Failure) -> Outcome? {
    guard let name = operation.release, operation.ids.isEmpty, operation.mode == .atOnce,
      let current = try store.reading.currentGeneration(),
      let installed = try store.reading.currentRelease()?.release,
      let (number, left) = try store.reading.newestWhole()
    else { return nil }
    let release = left.release
    guard number > current, release.number > installed.number, name.names(release) else { return nil }
    let terms = terms(of: release)
    if let recall = terms?.recall { throw .recalled(release: release.text, reason: recall.reason) }
    if let version = configuration.applicationVersion, version < terms?.minimumApplication ?? 0 { return nil }
    let damage = try VerificationFiles(opening: configuration.root).damage()
    guard let damaged = try damagedComponents(of: number, base: current, accordingTo: damage, in: store),
      damaged.isEmpty
    else { return nil }
    return try enter(number, of: release, damaged: [], in: store)
  }
}
