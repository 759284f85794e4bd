internal import InPlace
internal import MapModel
internal import Platform
internal import Store

/// The end of an update in place: the new generation becomes current, and what the update kept for itself goes.
extension Run {
  /// - `current`: the generation without what changes.
  /// - `missing`: the packages that the new one does not have.
  mutating func commit(
    _ update: borrowing InPlaceUpdate, over current: borrowing Generation, without missing: [PackageID],
    in store: borrowing LockedStore
  ) throws(Failure) {
    var builder = try store.beginGeneration(target, after: .nowhere)
    var changes: [(name: ComponentName, state: UpdateEvent.ComponentState)] = []
    try builder.addCatalog(target.catalog.digest, from: update.files.reading)
    for part in update.parts { try builder.add(part, from: update.files.reading) }
    var entries = try update.entries()
    while let entry = try entries.next() {
      _ = heartbeat.beat()
      guard !missing.contains(entry.name.id) else { continue }
      try update.add(entry, to: &builder, current)
      guard entry.change != .keep, changes.count < UpdateLimits.componentEvents else { continue }
      changes.append((entry.name, entry.new == nil ? .removed : .installed))
    }
    let number = builder.number
    try builder.finish(in: store)
    figures.sample(try space(store.reading).available)
    try store.makeCurrent(number, of: target.release)
    for change in changes { events.publish(.component(change.name, change.state)) }
    try store.endInPlace()
  }

}
