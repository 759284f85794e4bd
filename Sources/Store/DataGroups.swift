package import MapModel

/// Which data groups are wanted: all that are not deselected.
///
/// It says what is installed from now on; what an update makes of installed packages is `Updater`'s to say.
package struct DataGroups: Equatable {
  /// In the order of their bytes, none twice.
  package private(set) var deselected: [DataGroup] = []

  /// Everything is wanted.
  package init() {}

  package func isSelected(_ group: DataGroup) -> Bool { !deselected.contains(group) }

  package mutating func select(_ group: DataGroup) { deselected.removeAll { $0 == group } }

  /// False if it cannot be: it is essential, or there are too many.
  package mutating func deselect(_ group: DataGroup) -> Bool {
    guard isSelected(group) else { return true }
    guard group != .essential, deselected.count < StoreLimits.deselectedGroups else { return false }
    deselected.append(group)
    deselected.sort()
    return true
  }

  static var fileName: String { "groups" }
}
