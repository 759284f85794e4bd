/// The name of a component: a package and one of its data groups.
///
/// Ordered by bytes.
package struct ComponentName: Comparable {
  package let id: PackageID
  package let dataGroup: DataGroup

  package init(id: PackageID, dataGroup: DataGroup) {
    self.id = id
    self.dataGroup = dataGroup
  }

  /// Nil if one of them is not a valid name.
  package init?(_ id: String, dataGroup: String) {
    guard let id = PackageID(id), let dataGroup = DataGroup(dataGroup) else { return nil }
    self.init(id: id, dataGroup: dataGroup)
  }

  /// As in files and messages: the id, a space, and the data group.
  package var text: String { "\(id) \(dataGroup)" }
  /// Where the component lies below a generation's `maps`.
  package var path: String { "\(id)/\(dataGroup).dat" }
  /// Where an index of the component lies below a generation's `maps`.
  package var indexPath: String { "\(id)/\(dataGroup).index" }

  package static func < (a: ComponentName, b: ComponentName) -> Bool {
    a.id == b.id ? a.dataGroup < b.dataGroup : a.id < b.id
  }
}
