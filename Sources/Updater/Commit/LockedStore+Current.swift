internal import MapModel
internal import Platform
internal import Store

extension LockedStore {
  /// Makes `generation`, which is at `release`, current; says so if only power loss can undo that.
  func makeCurrent(_ generation: UInt64, of release: Release) throws(Failure) {
    do throws(Failure) { try switchCurrent(to: generation) } catch {
      guard case .file(let cause) = error, try reading.currentGeneration() == generation else {
        throw error
      }
      throw .notDurable(release: release.text, cause)
    }
  }
}
