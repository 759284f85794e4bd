internal import MapModel
package import Platform
internal import Releases
internal import Store
internal import Trust

extension Updater {
  /// Asks the repository what is new, and keeps the catalog of it for `list`.
  package func check() throws(Failure) -> CheckResult {
    let installed = try installedRelease()
    let offer = try learn(installed)
    let newest = offer.usable?.cataloged
    if let newest, newest.catalog != installed?.catalog {
      // What is new was learned; that its list cannot be kept, such as on a full disk, does not fail the check.
      do throws(Failure) { try fetchCatalog(newest, for: .installed, waiting: .none) } catch {
        if error.isCancelled { throw error }
        events.publish(.notice(.catalogNotKept(reason: error.sentence)))
      }
    }
    var blocked: BlockedRelease?
    if let newest, let installed, newest.release.number > installed.release.number {
      blocked = try block(of: newest.release)
    }
    var upcoming: CheckResult.Upcoming?
    if let served = offer.upcoming, let effective = served.effective {
      upcoming = CheckResult.Upcoming(release: served.release, effective: effective)
    }
    var recall: CheckResult.Recalled?
    if let installed, let reason = offer.recall?.reason {
      let way = try wayOut(of: installed, by: offer, for: .update())
      recall = CheckResult.Recalled(reason: reason, wayOut: way?.release.release)
    }
    let result = CheckResult(
      installed: installed?.release, newest: newest?.release, upcoming: upcoming, announced: offer.announced,
      recall: recall, blocked: blocked,
      departures: try departures(from: installed, to: newest))
    events.publish(.checked(result))
    return result
  }

  /// The installed packages that the newest release does not have; none if that is not known.
  private func departures(
    from installed: CatalogedRelease?, to newest: CatalogedRelease?
  ) throws(Failure) -> [Departure] {
    guard let installed, let newest, newest.release.number > installed.release.number else { return [] }
    do throws(Failure) {
      let store = try Store(opening: configuration.root)
      let generation = try store.current()
      var run = try question(.update(), from: consume generation, to: newest, in: store)
      return try run.survey(store).departures
    } catch {
      if error.isCancelled { throw error }
      return []
    }
  }

  /// Asks the repository, and remembers the answer.
  func learn(_ installed: CatalogedRelease?) throws(Failure) -> Offer {
    let offer = try repository.offer(installed: installed)
    noteContact()
    if let announced = offer.announced { events.publish(.applicationTooOld(announced)) }
    guard let usable = offer.usable else { return offer }
    let known = KnownRelease(usable.cataloged, announced: offer.announced)
    // What is brought may be older than what a server has.
    if configuration.bundle != nil, try knows(release: usable.number) { return offer }
    // Only for `list` and `status`: nothing waits for it, and nothing fails because of it.
    do throws(Failure) {
      try LockedCatalogCache(CatalogCache(making: configuration.root), waiting: .none).remember(known)
    } catch {}
    return offer
  }

  /// Notes for `status` that the repository was reached; nothing fails because of it.
  private func noteContact() {
    // Neither what is brought nor what came with the device is contact.
    guard configuration.bundle == nil, configuration.expiry != .factory else { return }
    do throws(Failure) {
      let now = try ReleaseFinder.now(configuration)
      OnlineRun.reach(at: now)
      let failed = try RecentRuns(of: configuration.root).failed
      try RepositoryContact(now, after: failed?.time ?? 0).note(in: configuration.root)
    } catch {}
  }

  /// A release with this number or a higher one is known.
  private func knows(release number: UInt64) throws(Failure) -> Bool {
    guard let known = try CatalogCache.open(configuration.root)?.known() else { return false }
    return known.newest.release.number >= number
  }
}
