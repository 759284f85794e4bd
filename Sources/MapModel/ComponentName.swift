/// The name of a component: a package and one of its data groups.
///
/// Ordered by bytes.
package struct ComponentName: Comparable {
  package let id: String
  package let dataGroup: String

  package init(id: String, dataGroup: String) {
    self.id = id
    self.dataGroup = dataGroup
  }

  /// Where the component lies below a generation's `maps`.
  package var path: String { "\(id)/\(dataGroup).dat" }
  /// Where an index of the component lies below a generation's `maps`.
  package var indexPath: String { "\(id)/\(dataGroup).index" }

  package static func == (a: ComponentName, b: ComponentName) -> Bool {
    Identifier.isSame(a.id, b.id) && Identifier.isSame(a.dataGroup, b.dataGroup)
  }

  package static func < (a: ComponentName, b: ComponentName) -> Bool {
    if Identifier.isSame(a.id, b.id) {
      return a.dataGroup.utf8.lexicographicallyPrecedes(b.dataGroup.utf8)
    }
    return a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
  }
}
