internal import MapModel

/// Which data groups are wanted: all that are not deselected.
///
/// It says what is installed from now on; what an update makes of installed packages is `Updater`'s to say.
package struct DataGroups: Equatable {
  /// In the order of their bytes, none twice.
  package private(set) var deselected: [String] = []

  /// Everything is wanted.
  package init() {}

  /// The group that every package needs; it is always selected.
  package static var essential: String { "base" }

  package func isSelected(_ group: String) -> Bool {
    !deselected.contains { Identifier.isSame($0, group) }
  }

  package mutating func select(_ group: String) {
    deselected.removeAll { Identifier.isSame($0, group) }
  }

  /// False if it cannot be: it is essential, or there are too many.
  package mutating func deselect(_ group: String) -> Bool {
    guard isSelected(group) else { return true }
    guard !Identifier.isSame(group, DataGroups.essential), deselected.count < StoreLimits.deselectedGroups
    else {
      return false
    }
    deselected.append(group)
    deselected.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return true
  }

  static var fileName: String { "groups" }
}
