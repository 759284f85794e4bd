internal import Catalog
internal import Crypto
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// Staging outlives a run that failed; here goes what the next plan has no use for.
extension Updater {
  /// Removes from staging what `operation` does not want.
  ///
  /// That takes one more walk if anything is staged, and another one for each `Limits.sweep` files.
  func sweep(
    _ operation: Operation, _ store: borrowing Store, _ generation: borrowing Generation?,
    _ target: CatalogedRelease
  ) throws(UpdateError) {
    try removeStaged(store.staging) { (staged) throws(UpdateError) in
      try unwanted(of: staged, operation, store, generation, target)
    }
  }

  /// Removes from staging what is installed: what an interrupted run left after its commit.
  func sweepInstalled(_ store: borrowing Store) {
    // The maps are ready without it.
    do throws(UpdateError) {
      try removeStaged(store.staging) { (staged) throws(UpdateError) in
        try wrap(store: store.installed(among: staged))
      }
    } catch {}
  }

  /// Removes from staging what `choose` takes out of what is there, of at most `Limits.sweep` files at a time.
  private func removeStaged(
    _ staging: borrowing Staging, _ choose: ([Digest]) throws(UpdateError) -> [Digest]
  ) throws(UpdateError) {
    var last: Digest?
    while true {
      let staged = try wrap(store: staging.digests(after: last, limit: Limits.sweep))
      let chosen = staged.isEmpty ? [] : try choose(staged)
      // What cannot be removed now only takes space.
      do throws(StoreError) { try staging.remove(chosen) } catch {}
      if staged.isEmpty { return }
      last = staged.last
    }
  }

  /// Those of `staged`, which is in order, that no step of the plan needs.
  private func unwanted(
    of staged: [Digest], _ operation: Operation, _ store: borrowing Store,
    _ generation: borrowing Generation?, _ target: CatalogedRelease
  ) throws(UpdateError) -> [Digest] {
    var isWanted = [Bool](repeating: false, count: staged.count)
    func want(_ digest: Digest) { if let place = staged.place(of: digest) { isWanted[place] = true } }
    var walk = try store.walk(operation, from: generation, to: target, groups)
    while let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
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

extension Store {
  /// Those of `digests`, which are in order, that the current generation has.
  fileprivate func installed(among digests: [Digest]) throws(StoreError) -> [Digest] {
    guard let generation = try current() else { return [] }
    var installed: [Digest] = []
    var manifest = try generation.manifest()
    while let component = try manifest.next() {
      if digests.place(of: component.digest) != nil { installed.append(component.digest) }
    }
    return installed.sorted()
  }
}
