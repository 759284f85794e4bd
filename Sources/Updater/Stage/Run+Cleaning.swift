internal import Catalog
internal import Crypto
internal import InPlace
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

extension Run {
  /// Removes from staging what the operation does not need.
  ///
  /// That takes one more walk if anything is staged, and another one for each `UpdateLimits.sweep` files.
  func removeUnneededFiles(_ store: borrowing LockedStore) throws(Failure) {
    try store.staging.removeFiles { (staged) throws(Failure) in
      try unneeded(of: staged, in: store.reading)
    }
  }

  /// Those of `staged`, which is in order, that no step of the plan needs.
  private func unneeded(of staged: [Digest], in store: borrowing Store) throws(Failure) -> [Digest] {
    var isNeeded = [Bool](repeating: false, count: staged.count)
    func need(_ digest: Digest) { if let place = staged.place(of: digest) { isNeeded[place] = true } }
    var walk = try walk(store)
    while let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
      guard case .fetch(let entry, let base) = step else { continue }
      let payload = try stager.payload(
        for: entry, options: stager.options(for: entry, installed: base.component), in: store.staging)
      need(entry.digest)
      for step in payload.steps(to: entry) { need(step.target.digest) }
      // A note that a container is unusable serves as long as the container is listed.
      if let packed = entry.packed { need(packed.head) }
      for patch in entry.patches { need(patch.container.head) }
    }
    return staged.indices.filter { !isNeeded[$0] }.map { staged[$0] }
  }
}

extension LockedStaging {
  /// Removes the files that `choose` returns of those that are staged, of which it gets `UpdateLimits.sweep` at a time.
  func removeFiles(_ choose: ([Digest]) throws(Failure) -> [Digest]) throws(Failure) {
    var last: Digest?
    while true {
      let staged = try reading.digests(after: last, limit: UpdateLimits.sweep)
      let chosen = staged.isEmpty ? [] : try choose(staged)
      // What cannot be removed now only takes space.
      do throws(Failure) { try remove(chosen) } catch {}
      if staged.isEmpty { return }
      last = staged.last
    }
  }
}

extension LockedStore {
  /// Removes from staging what is installed: what an interrupted run left after its commit.
  ///
  /// The maps are ready without it, so a failure is none.
  func removeInstalledFromStaging() {
    do throws(Failure) {
      try staging.removeFiles { (staged) throws(Failure) in
        try reading.current().components(among: staged)
      }
    } catch {}
  }
}

extension Generation {
  /// Those of `digests`, which are in order, that the generation has.
  func components(among digests: [Digest]) throws(Failure) -> [Digest] {
    guard var manifest = try components() else { return [] }
    var installed: [Digest] = []
    while let component = try manifest.next() {
      if digests.place(of: component.digest) != nil { installed.append(component.digest) }
    }
    return installed.sorted()
  }
}
