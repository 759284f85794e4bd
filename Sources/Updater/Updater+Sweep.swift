internal import Catalog
internal import Crypto
internal import Platform
internal import Store

/// Staging outlives a run that failed; here goes what the next plan has no use for.
extension Updater {
  /// Removes from staging what `operation` does not want.
  ///
  /// That takes one more walk if anything is staged, and another one for each `Limits.sweep` files.
  mutating func sweep(
    _ operation: Operation, _ store: borrowing Store, _ generation: borrowing Generation?, _ target: Target
  ) throws(UpdateError) {
    var last: Digest?
    repeat {
      let previous = last
      let staged = try storing { () throws(StoreError) in
        try store.staging.digests(after: previous, limit: Limits.sweep)
      }
      last = staged.last
      let unwanted = try unwanted(of: staged, operation, store, generation, target)
      // What cannot be removed now only takes space.
      do throws(StoreError) { try store.staging.remove(unwanted) } catch {}
    } while last != nil
  }

  /// Removes from staging what is installed: what an interrupted run left after its commit.
  func sweepInstalled(_ store: borrowing Store) {
    // What cannot be removed now only takes space.
    do throws(StoreError) {
      switch try store.current() {
      case .some(let generation): try sweep(store.staging, of: generation)
      case .none: return
      }
    } catch {}
  }

  private func sweep(
    _ staging: borrowing Staging, of generation: borrowing Generation
  ) throws(StoreError) {
    var last: Digest?
    repeat {
      let staged = try staging.digests(after: last, limit: Limits.sweep)
      last = staged.last
      guard !staged.isEmpty else { return }
      var installed: [Digest] = []
      var manifest = try generation.manifest()
      while let component = try manifest.next() {
        if staged.place(of: component.digest) != nil { installed.append(component.digest) }
      }
      installed.sort()
      try staging.remove(installed)
    } while last != nil
  }

  /// Those of `staged`, which is in order, that no step of the plan needs.
  private func unwanted(
    of staged: [Digest], _ operation: Operation, _ store: borrowing Store,
    _ generation: borrowing Generation?, _ target: Target
  ) throws(UpdateError) -> [Digest] {
    guard !staged.isEmpty else { return [] }
    var isWanted = [Bool](repeating: false, count: staged.count)
    func want(_ digest: Digest) { if let place = staged.place(of: digest) { isWanted[place] = true } }
    var walk = try store.walk(operation, from: generation, to: target, groups)
    while let step = try walk.next(from: generation) {
      if Interruption.isRequested { throw .cancelled }
      guard case .fetch(let entry, let installed) = step else { continue }
      let payload = try stager.payload(entry, stager.ways(entry, installed: installed), store.staging)
      want(entry.digest)
      for step in payload.steps(to: entry) { want(step.target.digest) }
      // A note of a container that is of no use is of use as long as the container is listed.
      if let packed = entry.packed { want(packed.head) }
      for patch in entry.patches { want(patch.container.head) }
    }
    return staged.indices.filter { !isWanted[$0] }.map { staged[$0] }
  }
}
