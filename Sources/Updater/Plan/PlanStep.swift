internal import Catalog
internal import MapModel
internal import Store

/// What becomes of one component.
indirect enum PlanStep: Equatable {
  /// It is installed as the catalog lists it, and stays.
  case keep(CatalogEntry, InstalledComponent)
  /// Its bytes are installed under another name.
  case link(CatalogEntry, InstalledComponent)
  /// It is downloaded; a patch can start from the base.
  case fetch(CatalogEntry, base: InstalledBase)
  /// It is removed as requested.
  case remove(InstalledComponent)
  /// It is removed because the release no longer has it.
  case withdraw(InstalledComponent)
  /// It is in the catalog and not wanted.
  case ignore(CatalogEntry)
}

extension PlanStep {
  /// The step without a component whose package does not come; it has not looked at files yet.
  func leavingOut(_ packages: [PackageID]) -> PlanStep {
    switch self {
    case .keep(let entry, let component), .fetch(let entry, base: .current(let component)):
      packages.contains(entry.name.id) ? .remove(component) : self
    case .link(let entry, _), .fetch(let entry, _): packages.contains(entry.name.id) ? .ignore(entry) : self
    case .remove, .withdraw, .ignore: self
    }
  }
}
