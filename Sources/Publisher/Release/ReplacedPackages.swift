internal import Catalog
internal import MapModel

/// The packages of a release that replace older ones.
struct ReplacedPackages: Sendable {
  /// In the order of their ids and successors, as the catalog has them.
  let all: [Replacement]
  /// Packages that the input replaces although no release had them.
  let unknown: [PackageID]
  private let ancestors: [PackageID: [PackageID]]

  init() { (all, unknown, ancestors) = ([], [], [:]) }

  /// - `declared`: of packages of the release, the ids that they replace.
  /// - `previous`: the release before, whose replacements hold for the devices that it has left behind.
  /// - `ids`: all packages of the release.
  /// - `had`: an earlier release than the one before had such a package.
  init(
    _ declared: [PackageID: [PackageID]], of ids: Set<PackageID>, in release: UInt64,
    after previous: CatalogIndex, had: (PackageID) throws(PublisherError) -> Bool
  ) throws(PublisherError) {
    var found: [Pair: Replacement] = [:]
    func add(_ id: PackageID, _ successor: PackageID, _ release: UInt64, _ isKept: Bool) {
      guard id != successor else { return }
      let pair = Pair(id: id, successor: successor)
      let newest = max(found[pair]?.release ?? 0, release)
      found[pair] = Replacement(id, by: successor, release: newest, isKept: isKept)
    }
    var successors: [PackageID: [PackageID]] = [:]
    for (successor, replaced) in declared {
      for id in replaced { successors[id, default: []].append(successor) }
    }
    // A replacement that is replaced itself leads to its own successors, for the same devices.
    for old in previous.replaced {
      let isKept = old.isKept || ids.contains(old.id)
      if ids.contains(old.successor) { add(old.id, old.successor, old.release, isKept) }
      guard previous.hasPackage(old.successor) else { continue }
      for next in successors[old.successor] ?? [] { add(old.id, next, old.release, isKept) }
    }
    let known = Set(previous.replaced.map { Pair(id: $0.id, successor: $0.successor) })
    let formerly = Set(previous.replaced.map(\.id))
    var unknown: [PackageID] = []
    for (id, all) in successors {
      for successor in all {
        // What was split off takes the place of the rest when that goes.
        let isLeft = previous.hasPackage(id) && !ids.contains(id)
        if known.contains(Pair(id: id, successor: successor)) && !isLeft { continue }
        var isKnown = previous.hasPackage(id) || formerly.contains(id)
        if !isKnown { isKnown = try had(id) }
        if isKnown {
          add(id, successor, release, ids.contains(id))
        } else {
          unknown.append(id)
        }
      }
    }
    guard found.count <= CatalogLimits.replaced else { throw .input(.tooManyReplaced(found.count)) }
    all = found.values.sorted { ($0.id, $0.successor) < ($1.id, $1.successor) }
    ancestors = Dictionary(grouping: all, by: \.successor).mapValues { $0.map(\.id) }
    self.unknown = unknown.sorted()
  }

  private struct Pair: Hashable {
    let id: PackageID
    let successor: PackageID
  }

  /// The packages that `id` takes the place of.
  func replaced(by id: PackageID) -> [PackageID] { ancestors[id] ?? [] }
  /// Other packages take the place of `id`.
  func replaces(_ id: PackageID) -> Bool { all.contains { $0.id == id && !$0.isKept } }
}
