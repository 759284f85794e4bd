internal import Catalog
internal import MapModel
package import Platform
internal import Releases
internal import Store

extension Updater {
  /// What the place of the device asks for; nil where there is none, or where nothing is to change now: while the
  /// installed release is on trial, recalled, or no longer served.
  package func planArea() throws(Failure) -> AreaChange? {
    let store: Store
    do throws(Failure) { store = try Store(opening: configuration.root) } catch {
      if case .noStore = error { return nil }
      throw error
    }
    return try areaChange(in: store)
  }

  /// The same.
  func areaChange(in store: borrowing Store) throws(Failure) -> AreaChange? {
    var places = try AreaPlaces(configuration)
    return try areaChange(around: &places, in: store)
  }

  /// The same, with places that may have been looked at before.
  ///
  /// Of what is near, all is to come; if that has no room, what the device has not been near for the longest time goes; if
  /// that is not enough, only what is nearer comes.
  func areaChange(
    around places: inout AreaPlaces, in store: borrowing Store
  ) throws(Failure) -> AreaChange? {
    guard let radius = configuration.area.radius, !places.isEmpty else { return nil }
    guard try Succession.running(in: store, configuration.trial) == nil else { return nil }
    let near = try places.packages(searching: self)
    guard let target = try areaRelease(in: store) else { return nil }
    let record = try store.areaRecord()
    let departing = try departing(of: record, without: near, in: store)
    let time = try ReleaseFinder.now(configuration) - configuration.area.keep
    let outdated = departing.filter { $0.needed < time }.map { $0.id }
    let (installed, refused) = (try AreaInventory(near, in: store), try store.refusedPackages())
    var change = AreaChange(target: target, radius: radius)
    change.going = outdated
    for step in 0..<UpdateLimits.areaSteps {
      var next = AreaChange(target: target, radius: radius >> UInt64(step))
      // Of more than an operation takes, the first.
      next.coming = Array(
        try places.packages(within: next.radius, searching: self)
          .filter { !installed.has($0) && !record.isRefused($0) }.prefix(UpdateLimits.identifiers))
      next.going = outdated
      if try complete(&next, in: store) { return next }
      if next.coming.isEmpty { return change }
      // Nothing goes for what may not come.
      next.coming.removeAll { refused[$0] != nil }
      if try complete(&next, in: store) { return next }
      guard let shortage = next.shortage, let going = leastNeeded(of: departing, atLeast: shortage)
      else { continue }
      (next.going, next.makesRoom) = (going.count > outdated.count ? going : outdated, true)
      return next
    }
    return change
  }

  /// Finds out what it takes for the packages to come; true if there are some and they have room.
  private func complete(_ change: inout AreaChange, in store: borrowing Store) throws(Failure) -> Bool {
    change.shortage = nil
    if change.coming.isEmpty { return false }
    var run = try question(
      .install(change.coming), from: try store.current(), to: change.target, in: store)
    let plan = try run.survey(store)
    change.download = plan.download
    guard plan.changesAnything else {
      // Their data groups are deselected.
      change.coming = []
      return false
    }
    if try run.room(for: plan, in: store, allowing: configuration.lowSpace) != .none { return true }
    change.shortage = try run.shortage(of: plan, in: store)
    return false
  }

  /// The packages that came so, are not near, and together take what `plan` lacks, those first that are needed least; nil
  /// if that is nothing, or if all of them are not enough.
  func dispensable(
    for plan: Plan, of run: borrowing Run, in store: borrowing Store
  ) throws(Failure) -> [PackageID]? {
    let record = try store.areaRecord()
    guard plan.fetched > 0, configuration.area.radius != nil, !record.arrivals.isEmpty else { return nil }
    switch try run.room(for: plan, in: store, allowing: configuration.lowSpace) {
    case .beside, .withoutStandby, .withoutPrevious: return nil
    case .inPlace, .none: break
    }
    guard let shortage = try run.shortage(of: plan, in: store) else { return nil }
    var places = try AreaPlaces(configuration)
    var departing = try departing(of: record, without: places.packages(searching: self), in: store)
    // What goes is not made anew, either.
    var walk = try run.walk(store)
    while let step = try walk.next(from: run.generation) {
      guard case .fetch(let entry, _) = step,
        let place = departing.firstIndex(where: { $0.id == entry.name.id })
      else { continue }
      departing[place].size = departing[place].size.saturatingSum(entry.size)
    }
    return leastNeeded(of: departing, atLeast: shortage)
  }

  /// The release whose packages may come: the installed one, or else the newest that is known.
  private func areaRelease(in store: borrowing Store) throws(Failure) -> CatalogedRelease? {
    guard let current = try store.currentRelease() else {
      return try CatalogCache.open(configuration.root)?.known()?.newest
    }
    guard let terms = try readableTerms(of: current.release), terms.recall == nil else { return nil }
    return current
  }

  /// A package that may go, and the bytes that it takes.
  private typealias Departing = (id: PackageID, needed: Int64, size: UInt64)

  /// The installed packages that came so and are not `near`, those first that are needed least.
  private func departing(
    of record: AreaRecord, without near: [PackageID], in store: borrowing Store
  ) throws(Failure) -> [Departing] {
    let arrivals = record.arrivals.filter { arrival in
      let place = near.partitionPoint { $0 < arrival.id }
      return place == near.count || near[place] != arrival.id
    }
    let installed = try AreaInventory(arrivals.map { $0.id }, in: store)
    var departing: [Departing] = []
    for arrival in arrivals {
      guard let size = installed.size(of: arrival.id) else { continue }
      let place = departing.partitionPoint { $0.needed <= arrival.needed }
      departing.insert((arrival.id, arrival.needed, size), at: place)
    }
    return departing
  }

  /// The first of `departing` that together take `bytes`; nil if all of them take less.
  private func leastNeeded(of departing: [Departing], atLeast bytes: UInt64) -> [PackageID]? {
    var going: [PackageID] = []
    var freed: UInt64 = 0
    for package in departing where freed < bytes {
      going.append(package.id)
      freed = freed.saturatingSum(package.size)
    }
    return freed >= bytes && going.count <= UpdateLimits.identifiers ? going : nil
  }
}
