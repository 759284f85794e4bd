internal import Catalog
internal import MapModel
internal import Store

/// Says which data groups a release no longer has of the packages whose place no other one takes.
struct WithdrawalNotices {
  private let successions: Successions

  /// The first component of a data group that goes, as long as nothing of the same group has come.
  private var withdrawn: ComponentName?
  /// The data group that is looked at, and whether something of it is in the release.
  private var (id, dataGroup): (PackageID?, DataGroup?) = (nil, nil)
  private var hasOthers = false

  init(_ successions: Successions) { self.successions = successions }

  /// The steps come in the order of their components.
  mutating func take(_ step: PlanStep, _ events: ActivityPublisher) {
    switch step {
    case .keep(let entry, _), .link(let entry, _), .fetch(let entry, _), .ignore(let entry):
      enter(entry.name, events)
      hasOthers = true
    case .withdraw(let component):
      if successions[component.name.id] != nil { return }
      enter(component.name, events)
      withdrawn = withdrawn ?? component.name
    case .remove: break
    }
  }

  mutating func finish(_ events: ActivityPublisher) {
    if let withdrawn, !hasOthers { events.publish(.notice(.withdrawn(withdrawn))) }
    (withdrawn, hasOthers) = (nil, false)
  }

  private mutating func enter(_ name: ComponentName, _ events: ActivityPublisher) {
    guard name.id != id || name.dataGroup != dataGroup else { return }
    finish(events)
    (id, dataGroup) = (name.id, name.dataGroup)
  }
}
