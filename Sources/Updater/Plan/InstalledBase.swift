internal import Store

/// What a device has that a patch to a component can start from.
indirect enum InstalledBase: Equatable {
  case none
  /// Its older version, or a component of another name.
  case current(InstalledComponent)
  /// Its version in the release that stands by, from which a patch is smaller than from the current one.
  case standby(InstalledComponent, insteadOf: InstalledComponent)
  /// Its version in the generation before, because the files of the current one, `lost`, are missing or damaged.
  case previous(InstalledComponent, lost: InstalledComponent)
  /// Its current version, with files that are missing or damaged; the generation before has no other version.
  case lost(InstalledComponent)

  /// The component from whose digest a patch has to be.
  var component: InstalledComponent? {
    switch self {
    case .none: nil
    case .current(let component), .standby(let component, insteadOf: _), .previous(let component, lost: _),
      .lost(let component):
      component
    }
  }

  /// The component of the current generation, if a patch can start from that.
  var current: InstalledComponent? { if case .current(let component) = self { component } else { nil } }

  /// The installed component whose files are missing or damaged.
  var lost: InstalledComponent? {
    switch self {
    case .none, .current, .standby: nil
    case .previous(_, let lost), .lost(let lost): lost
    }
  }

  /// What of the current generation the new component takes the place of.
  var replaced: InstalledComponent? {
    if case .standby(_, let current) = self { current } else { lost ?? component }
  }
}
