internal import InPlace
internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// What `status` says of a device, gathered once; views of it are text, JSON and metrics.
struct StatusFacts {
  /// What the store has; nil if there is none yet.
  let maps: InstalledFacts?
  let contact: RepositoryContact?
  let signatures: [SignatureExpiry]
  let terms: ReleaseTerms
  let known: KnownRelease?
  let lastRun: HistoryEntry?
  let lastFailure: LastFailure?
  var area: AreaState?
  /// Bytes that the store takes and may take; nil without a limit.
  let storage: (used: UInt64, limit: UInt64)?
  /// What confines a process that updates; nil if that is not to be said.
  let confinement: [Confinement.Measure]?

  /// The exit status of `status`: it says whether the maps are still to be used.
  var status: ExitStatus { terms.isExpired ? .expired : .success }

  /// The signature that ends first.
  var firstExpiry: SignatureExpiry? {
    var first: SignatureExpiry?
    for signature in signatures where signature.time < first?.time ?? .max { first = signature }
    return first
  }
}

extension StatusFacts {
  /// Opens no connection.
  init(_ configuration: Configuration, confinedBy measures: [Confinement.Measure]? = nil) throws(Failure) {
    let root = configuration.root
    contact = RepositoryContact(in: root)
    signatures = SignatureExpiry.all(configuration)
    confinement = measures
    let store: Store
    do throws(Failure) { store = try Store(opening: root) } catch {
      guard case .noStore = error else { throw error }
      (maps, known, lastRun, lastFailure, area, storage) = (nil, nil, nil, nil, nil, nil)
      terms = ReleaseTerms()
      return
    }
    let maps = try InstalledFacts(store, trial: configuration.trial)
    known = try StatusFacts.knownRelease(root)
    terms = ReleaseTerms(configuration, installed: maps.release)
    let runs = try RecentRuns(of: root)
    lastRun = runs.last
    lastFailure = LastFailure(runs, contact: contact)
    area = AreaState(configuration, store)
    storage = try configuration.storage()
    self.maps = maps
  }

  /// The newest release that the last check found.
  private static func knownRelease(_ root: String) throws(Failure) -> KnownRelease? {
    switch try CatalogCache.open(root) {
    case .some(let cache): return try cache.known()
    case .none: return nil
    }
  }
}
