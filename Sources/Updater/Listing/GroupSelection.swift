internal import Catalog
internal import MapModel
internal import Platform
package import Store

/// A data group of the maps that are known.
package struct KnownGroup: Equatable {
  package let name: String
  package var isSelected: Bool
  /// Packages that have it.
  package var packages: UInt32 = 0
  /// Bytes of all its components.
  package var size: UInt64 = 0
}

/// The commands around `DataGroups`.
package enum GroupSelection {
  /// The data groups of the installed catalog, else of the newest known one, and those that are deselected.
  ///
  /// In the order of their bytes; empty if no catalog is known and nothing was deselected.
  package static func show(_ root: String) throws(UpdateError) -> [KnownGroup] {
    var selection = DataGroups()
    var groups: [KnownGroup] = []
    do throws(StoreError) { selection = try Store(opening: root, for: .read).dataGroups() } catch {
      guard case .missing = error else { throw .store(error) }
    }
    for name in selection.deselected { groups.append(KnownGroup(name: name, isSelected: false)) }
    if var sources = try ListingSources.open(root) {
      try addUp(try sources.openBasis(.sizes), selection, &groups)
    }
    groups.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return groups
  }

  private static func addUp(
    _ reader: consuming CatalogReader<XZSource>?, _ selection: DataGroups, _ groups: inout [KnownGroup]
  ) throws(UpdateError) {
    guard var reader = reader.take() else { return }
    while !StopSignal.isRaised {
      let next: CatalogEntry?
      do throws(CatalogError) { next = try reader.next() } catch { throw .catalog(error) }
      guard let entry = next else { return }
      let name = entry.name.dataGroup
      let index: Int
      if let found = groups.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
        index = found
      } else {
        guard groups.count < Limits.dataGroups else { throw .tooManyGroups }
        index = groups.count
        groups.append(KnownGroup(name: name, isSelected: selection.isSelected(name)))
      }
      groups[index].packages = groups[index].packages.saturatingSum(1)
      groups[index].size = groups[index].size.saturatingSum(entry.size)
    }
    throw .cancelled
  }

  /// Changes the selection; what it is then.
  ///
  /// Names that no known catalog has are refused; where none is known, any are taken.
  package static func change(
    _ root: String, selecting selected: [String] = [], deselecting deselected: [String] = []
  ) throws(UpdateError) -> DataGroups {
    let known = try show(root).map { $0.name }
    if try isCatalogKnown(root) {
      let unknown = (selected + deselected).filter { name in
        !known.contains { $0.utf8.elementsEqual(name.utf8) }
      }
      guard unknown.isEmpty else { throw .unknownGroups(unknown, known: known) }
    }
    let store = try storing { () throws(StoreError) in try Store(opening: root, for: .change) }
    var groups = try storing { () throws(StoreError) in try store.dataGroups() }
    for name in selected { groups.select(name) }
    for name in deselected where !groups.deselect(name) { throw .fixedGroup(name) }
    let changed = groups
    try storing { () throws(StoreError) in
      if try store.dataGroups() != changed { try store.replaceDataGroups(with: changed) }
    }
    return changed
  }

  private static func isCatalogKnown(_ root: String) throws(UpdateError) -> Bool {
    switch try ListingSources.open(root) {
    case .some: return true
    case .none: return false
    }
  }
}
