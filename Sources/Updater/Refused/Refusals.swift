internal import Catalog
internal import MapModel
internal import Platform
internal import Store

/// The packages that did not come in a run, because the server does not give them to this device.
struct Refusals {
  /// In the order in which they were asked for.
  private(set) var ids: [PackageID] = []
  /// What the server said of the first.
  private(set) var cause = ""
  /// Nobody on the way to the server can have said it in its place.
  private(set) var areAuthentic = true

  var isEmpty: Bool { ids.isEmpty }

  func has(_ id: PackageID) -> Bool { ids.contains(id) }

  mutating func add(_ id: PackageID, _ cause: String, isAuthentic: Bool) {
    if ids.isEmpty { self.cause = cause }
    ids.append(id)
    areAuthentic = areAuthentic && isAuthentic
  }
}

extension Run {
  /// Notes that a component does not come, if `error` says that the server does not give it to this device; throws any
  /// other error.
  ///
  /// A server whose metadata is gone as well has nothing, and one that refuses very many packages refuses the device:
  /// that says nothing about any of them. One that did not answer may have it.
  ///
  /// - `unanswered`: what the repository had counted before the component was asked for.
  mutating func note(
    _ error: Failure, of entry: CatalogEntry, since unanswered: UInt64, in staging: borrowing LockedStaging
  ) throws(Failure) {
    guard let cause = error.denial, let url = error.deniedURL, !operation.isRepair,
      stager.repository.bundle == nil, stager.repository.unanswered == unanswered,
      refusals.ids.count < StoreLimits.refusedPackages, try stager.repository.isServed()
    else { throw error }
    // Space may be reserved for it.
    if try staging.reading.stored(entry.digest) == 0 { try staging.removePart(entry.digest) }
    events.publish(.notice(.refused(entry.name.id, cause: cause)))
    refusals.add(entry.name.id, cause, isAuthentic: Configuration.isAuthentic(url))
  }

  /// The error about packages without which the operation does not go on.
  func refusal(of ids: [PackageID]) -> Failure {
    .packagesRefused(ids.map { $0.text }, cause: refusals.cause, release: target.release.text)
  }
}
