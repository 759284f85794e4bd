internal import MapModel
internal import Platform
internal import Store

extension LockedStore {
  /// Makes `generation`, which is at `release`, current; says so if only power loss can undo that.
  func makeCurrent(_ generation: UInt64, of release: Release) throws(UpdateError) {
    do throws(StoreError) { try switchCurrent(to: generation) } catch {
      guard case .file(let cause) = error, try isCurrent(generation) else { throw UpdateError(error) }
      throw .notDurable(release, cause: cause)
    }
  }

  private func isCurrent(_ number: UInt64) throws(UpdateError) -> Bool {
    switch try wrap(store: reading.current()) {
    case .some(let generation): generation.number == number
    case .none: false
    }
  }
}
