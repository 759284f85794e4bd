internal import Catalog
internal import MapModel
internal import Platform
internal import Releases
internal import Store

/// Which release an operation goes to.
extension Updater {
  /// Decides which release the operation goes to, and has its catalog ready.
  func chooseTarget(
    for operation: Operation, installed current: CatalogedRelease?
  ) throws(Failure) -> TargetChoice {
    switch (operation, current) {
    case (.uninstall, .some(let current)), (.repair, .some(let current)): return TargetChoice(target: current)
    case (.uninstall(let ids, _), .none): throw .notInstalled(ids.map { $0.text })
    case (.update(let ids, _, _), .none), (.repair(let ids), .none):
      guard ids.isEmpty else { throw .notInstalled(ids.map { $0.text }) }
      return TargetChoice(target: nil)
    case (.area, _): return TargetChoice(target: current)
    case (.update, .some), (.install, _): break
    }
    let offer = try learn(current)
    if let current, let recall = offer.recall {
      return try chooseWayOut(of: current, recall, by: offer, for: operation)
    }
    if case .install = operation, let current, offer.hasInstalled {
      try fetchCatalog(current, for: CatalogNeed(operation))
      return TargetChoice(target: current, announced: offer.announced)
    }
    if let upcoming = try chooseUpcoming(of: offer, for: operation, installed: current) { return upcoming }
    let newest = try newestUsable(offer)
    if let current {
      let isNewer = newest.release.number > current.release.number
      if let name = operation.release, !name.names(current.release), !isNewer || !name.names(newest.release) {
        throw refusal(of: name, newest: newest.release)
      }
      guard isNewer, operation.release.map({ $0.names(newest.release) }) ?? true else {
        return TargetChoice(target: current, announced: offer.announced)
      }
      if operation.release == nil, let blocked = try block(of: newest.release) {
        if case .install = operation { throw .releaseBlocked(sentence: blocked.sentence) }
        events.publish(.blocked(blocked))
        return TargetChoice(target: current, announced: offer.announced)
      }
      if case .install = operation {
        events.publish(.notice(.releaseNotServed(current.release, to: newest.release)))
      }
    }
    try fetchCatalog(newest, for: CatalogNeed(operation))
    return TargetChoice(target: newest, announced: offer.announced)
  }

  /// The release that is not in effect yet, if the update goes to it: a user has named it, or nothing else is newer than
  /// what is installed.
  private func chooseUpcoming(
    of offer: Offer, for operation: Operation, installed current: CatalogedRelease?
  ) throws(Failure) -> TargetChoice? {
    guard case .update = operation, let current, let upcoming = offer.upcoming,
      upcoming.number > current.release.number
    else { return nil }
    if let name = operation.release {
      guard name.names(upcoming.release) else { return nil }
    } else {
      if offer.usable?.number ?? 0 > current.release.number { return nil }
      if try block(of: upcoming.release) != nil { return nil }
    }
    try fetchCatalog(upcoming.cataloged, for: CatalogNeed(operation))
    return TargetChoice(
      target: upcoming.cataloged, effective: upcoming.effective, announced: offer.announced)
  }

  /// The newest release that is in effect and that the application of this device can read.
  func newestUsable(_ offer: Offer) throws(Failure) -> CatalogedRelease {
    guard let usable = offer.usable else {
      try configuration.checkApplication(offer.announced, newerThan: Release(number: 0, label: ""))
      throw .noReleases(url: configuration.source)
    }
    return usable.cataloged
  }
}

extension Configuration {
  /// Refuses to call `release` the newest one if a newer one waits for a newer application.
  func checkApplication(
    _ announced: AnnouncedRelease?, newerThan release: Release
  ) throws(Failure) {
    guard let announced, announced.release.number > release.number else { return }
    throw .applicationTooOld(
      needed: announced.minimumApplication, has: applicationVersion ?? 0,
      release: announced.release.text)
  }
}
