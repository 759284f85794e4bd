internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// The packages that take the place of others: of those that a device has, and of those that an operation names.
struct Successions: Equatable {
  /// In the order of their ids.
  private(set) var departures: [Departure] = []
  /// All of their successors, in order.
  private(set) var successors: [PackageID] = []

  /// There are none.
  init() {}

  /// Reads the beginning of a catalog beside the list of what is installed.
  ///
  /// - `release`: the number of the installed release.
  /// - `asked`: the ids that the operation is to install.
  /// - `isOwed`: it had them, and lost them in an update in place.
  init(
    _ catalog: consuming CatalogReader<XZSource>, manifest: ManifestCursor, release: UInt64,
    asked: [PackageID], isOwed: Bool
  ) throws(Failure) {
    var departures: [Departure] = []
    var successors: [PackageID] = []
    var flaw: Failure?
    do throws(CatalogError) {
      try catalog.forEachReplacement { replacement in
        do throws(Failure) { try manifest.skip(to: replacement.id) } catch { flaw = flaw ?? error }
        let isLeft = manifest.isAt(replacement.id) && release < replacement.release
        let isAsked = (isOwed || !replacement.isKept) && asked.contains(replacement.id)
        guard isLeft || isAsked else { return }
        successors.append(replacement.successor)
        // A package that something was split off from is still there, or goes without a successor.
        if replacement.isKept { return }
        if departures.last?.id != replacement.id { departures.append(Departure(replacement.id)) }
        departures[departures.count - 1].successors.append(replacement.successor)
      }
    } catch { throw Failure(error) }
    if let flaw { throw flaw }
    self.departures = departures
    self.successors = successors.sorted()
  }

  /// What becomes of the package `id`; nil if nothing takes its place.
  subscript(id: PackageID) -> Departure? { departures.first { $0.id == id } }

  /// The package takes the place of one of them.
  func follow(with id: PackageID) -> Bool {
    let place = successors.partitionPoint { $0 < id }
    return place < successors.count && successors[place] == id
  }

  /// A part of the catalog may list one of the packages that take their place.
  func mayBeListed(in part: CatalogPart) -> Bool { part.mayList(successors) }
}

extension Operation {
  /// What takes the place of packages that are installed, or that it names.
  func successions(
    _ catalog: consuming CatalogReader<XZSource>, installed manifest: consuming ManifestReader?
  ) throws(Failure) -> Successions {
    let release = PlanWalk.releaseNumber(of: manifest) ?? 0
    var asked: [PackageID] = []
    if case .install(let ids, _, _) = self { asked = ids }
    return try Successions(
      catalog, manifest: try ManifestCursor.open(manifest), release: release, asked: asked, isOwed: isOwed)
  }
}
