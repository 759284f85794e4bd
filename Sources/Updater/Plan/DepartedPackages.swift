internal import Catalog
internal import MapModel
internal import Platform
internal import Store

/// Collects the packages that a device has and the release of a plan no longer does.
struct DepartedPackages {
  /// How many nothing takes the place of.
  private(set) var withdrawn = 0
  /// The first of all, in the order of their ids.
  private(set) var first: [Departure] = []
  private let successions: Successions
  /// The package whose components go, as long as the release has no other component of it.
  private var leaving: PackageID?
  /// The package of the last component that the release has.
  private var staying: PackageID?

  init(_ successions: Successions) { self.successions = successions }

  /// The steps come in the order of their components.
  mutating func take(_ step: PlanStep) {
    switch step {
    case .keep(let entry, _), .link(let entry, _), .fetch(let entry, _), .ignore(let entry):
      if leaving == entry.name.id { leaving = nil } else { finish() }
      staying = entry.name.id
    case .withdraw(let component):
      guard component.name.id != leaving, component.name.id != staying else { return }
      finish()
      leaving = component.name.id
    case .remove: break
    }
  }

  mutating func finish() {
    guard let id = leaving else { return }
    leaving = nil
    let departure = successions[id] ?? Departure(id)
    if departure.successors.isEmpty { withdrawn += 1 }
    if first.count < UpdateLimits.departures { first.append(departure) }
  }
}

extension Run {
  /// Refuses to remove packages that nothing takes the place of, where the configuration says so or no map would be left,
  /// unless a user has asked for it.
  ///
  /// - `leaving`: the installed release is recalled: only that no map would be left keeps the device from leaving it.
  func checkDepartures(_ plan: Plan, leaving: TargetChoice.Leaving?) throws(Failure) {
    switch operation {
    case .update, .install: break
    case .uninstall, .repair, .area: return
    }
    guard operation.release == nil,
      plan.withdrawn > 0 && configuration.withdrawn == .hold && leaving == nil || plan.leavesNothing
    else { return }
    let withdrawn = plan.departures.filter { $0.successors.isEmpty || plan.leavesNothing }
    let ids = withdrawn.prefix(3).map { $0.id.text }
    throw .withheld(
      release: target.release.text, number: target.release.number, packages: Array(ids),
      count: max(plan.withdrawn, withdrawn.count))
  }
}
