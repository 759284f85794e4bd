internal import Catalog
internal import MapModel
internal import Store

/// What becomes of one component.
enum PlanStep: Equatable {
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
