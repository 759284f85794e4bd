internal import Platform

/// The name of a component: a package, one of its data groups, and where the file lies.
///
/// Ordered by bytes, in this order.
package struct ComponentName: Comparable, Hashable {
  package let id: PackageID
  package let dataGroup: DataGroup
  package let file: ComponentPath

  /// - `file`: nil for one that says itself what it is, and lies where that follows from.
  package init(id: PackageID, dataGroup: DataGroup, file: ComponentPath? = nil) {
    self.id = id
    self.dataGroup = dataGroup
    self.file = file ?? .described(id, dataGroup)
  }

  /// Nil if one of them is not a valid name.
  package init?(_ id: String, dataGroup: String, file: String? = nil) {
    guard let id = PackageID(id), let dataGroup = DataGroup(dataGroup) else { return nil }
    guard let file else {
      self.init(id: id, dataGroup: dataGroup)
      return
    }
    guard let file = ComponentPath(file) else { return nil }
    self.init(id: id, dataGroup: dataGroup, file: file)
  }

  /// The file lies where the id and the data group say.
  package var isDescribed: Bool { file == .described(id, dataGroup) }
  /// Where the component lies below a generation's `maps`.
  package var path: String { file.text }
  /// Where an index of the component lies below a generation's `maps`: `.index` in the place of `.dat`, or after the name.
  package var indexPath: String { isDescribed ? "\(id)/\(dataGroup).index" : "\(file).index" }

  package static func < (a: ComponentName, b: ComponentName) -> Bool {
    guard a.id == b.id else { return a.id < b.id }
    return a.dataGroup == b.dataGroup ? a.file < b.file : a.dataGroup < b.dataGroup
  }
}

// In the lines of the store's files: the id and the data group, and at the end of the line the path, unless it is where those
// say. A path may have spaces.

extension ComponentName {
  /// The id, a space, and the data group.
  package var front: String { "\(id) \(dataGroup)" }
  /// A space and the path; nothing if that follows from the others.
  package var tail: String { isDescribed ? "" : " \(file)" }

  /// - `tail`: the words at the end of the line that are not others.
  package init?(_ id: String, _ dataGroup: String, tail: ArraySlice<String>) {
    self.init(id, dataGroup: dataGroup, file: tail.isEmpty ? nil : Array(tail).joined(by: " "))
  }
}
