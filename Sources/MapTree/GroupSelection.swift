internal import Catalog
package import MapModel
package import Platform
package import Store

/// Shows and changes which data groups are selected.
package enum GroupSelection {
  /// The data groups of the installed catalog, or else of the newest known one, and the deselected ones.
  ///
  /// Ordered by bytes; empty if no catalog is known and nothing is deselected.
  package static func show(_ root: String) throws(Failure) -> [KnownGroup] { try read(root).groups }

  /// The same, and whether a catalog is known.
  private static func read(
    _ root: String
  ) throws(Failure) -> (groups: [KnownGroup], hasCatalog: Bool) {
    var selection = DataGroups()
    var groups: [KnownGroup] = []
    do throws(Failure) { selection = try Store(opening: root).dataGroups() } catch {
      guard case .noStore = error else { throw error }
    }
    for name in selection.deselected { groups.append(KnownGroup(name: name, isSelected: false)) }
    var hasCatalog = false
    if var sources = try ListingSources.open(root) {
      hasCatalog = true
      try addUp(try sources.openBasis(.sizes), selection: selection, to: &groups)
    }
    groups.sort { $0.name < $1.name }
    return (groups, hasCatalog)
  }

  private static func addUp(
    _ reader: consuming CatalogReader<XZSource>?, selection: DataGroups, to groups: inout [KnownGroup]
  ) throws(Failure) {
    guard var reader = reader.take() else { return }
    while !StopSignal.isRaised {
      switch try wrap(catalog: reader.nextItem()) {
      case .component(let entry):
        try add(1, size: entry.size, of: entry.name.dataGroup, selection: selection, to: &groups)
      case .part(let part):
        for group in part.groups {
          try add(group.components, size: group.size, of: group.name, selection: selection, to: &groups)
        }
      case .none: return
      }
    }
    throw .cancelled
  }

  private static func add(
    _ components: UInt32, size: UInt64, of name: DataGroup, selection: DataGroups,
    to groups: inout [KnownGroup]
  ) throws(Failure) {
    let index: Int
    if let found = groups.firstIndex(where: { $0.name == name }) {
      index = found
    } else {
      guard groups.count < MapTreeLimits.dataGroups else {
        throw .tooManyGroups(limit: MapTreeLimits.dataGroups)
      }
      index = groups.count
      groups.append(KnownGroup(name: name, isSelected: selection.isSelected(name)))
    }
    groups[index].packages = groups[index].packages.saturatingSum(components)
    groups[index].size = groups[index].size.saturatingSum(size)
  }

  /// Changes the selection and returns the new one.
  ///
  /// Names that the known catalog does not have are refused; if no catalog is known, any name is accepted.
  package static func change(
    _ root: String, selecting selected: [DataGroup] = [], deselecting deselected: [DataGroup] = []
  ) throws(Failure) -> DataGroups {
    let (groups, hasCatalog) = try read(root)
    if hasCatalog {
      let known = groups.map { $0.name }
      let unknown = (selected + deselected).filter { !known.contains($0) }
      guard unknown.isEmpty else {
        throw .unknownGroups(unknown.map { $0.text }, known: known.map { $0.text })
      }
    }
    let store = try open(root)
    let before = try store.reading.dataGroups()
    var selection = before
    for name in selected { selection.select(name) }
    for name in deselected where !selection.deselect(name) { throw .fixedGroup(name.text) }
    guard selection != before else { return selection }
    try store.replaceDataGroups(with: selection)
    return selection
  }

  private static func open(_ root: String) throws(Failure) -> LockedStore {
    try LockedStore(opening: root)
  }
}
