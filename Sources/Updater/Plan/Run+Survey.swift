internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// The first step: what the operation takes, before the first byte is downloaded.
extension Run {
  /// Adds up what the operation takes, and refuses ids that match nothing.
  ///
  /// - `body`: called with every component that is downloaded.
  @inline(never)
  mutating func survey(
    _ store: borrowing Store, each body: ((CatalogEntry, Payload, PayloadOptions) -> Void)? = nil
  ) throws(Failure) -> Plan {
    var plan = Plan(
      space: try space(store), includesIndexes: configuration.index.command != nil,
      storesContainers: stager.repository.isLimited, isLocal: !stager.repository.isRemote)
    firstNames = []
    var walk = try walk(store)
    var departed = DepartedPackages(walk.successions)
    while let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
      departed.take(step)
      switch step {
      case .keep(let entry, _): plan.keep(entry)
      case .link(let entry, _): plan.link(entry)
      case .remove, .withdraw: plan.remove()
      case .ignore: break
      case .fetch(let entry, let base):
        let options = stager.options(for: entry, installed: base.component)
        let payload = try stager.payload(for: entry, options: options, in: store.staging)
        try stager.check(payload, of: entry)
        try stager.check(payload, of: entry, options: options, isInstalled: replaces(base.component))
        let share = try stager.share(of: entry, by: payload, in: store.staging)
        plan.fetch(entry, by: payload, share: share)
        if firstNames.count < UpdateLimits.componentEvents { firstNames.append(entry.name) }
        body?(entry, payload, options)
      }
    }
    departed.finish()
    plan.note(departed)
    parts = walk.enteredParts
    plan.keepParts(parts.count)
    let unmatched = walk.unmatched
    // What the device owes of packages that there are no more, nobody can have.
    guard unmatched.isEmpty || operation.isOwed else {
      _ = consume walk
      switch operation {
      case .install, .update: throw .unknown(unmatched, in: configuration.root)
      case .uninstall, .repair, .area: throw .missing(unmatched, in: configuration.root)
      }
    }
    return plan
  }
}
