internal import MapModel
package import Platform

extension Store {
  /// The selection; everything is selected where none was ever made.
  package func dataGroups() throws(Failure) -> DataGroups {
    try DataGroups.read(root)
  }
}

extension DataGroups {
  /// The selection in `directory`; everything is selected where there is none.
  static func read(_ directory: borrowing Directory) throws(Failure) -> DataGroups {
    let status = try directory.status(of: fileName)
    guard let status else { return DataGroups() }
    guard status.kind == .file else { throw .unusableStore(path: directory.path, .strayGroups) }
    var lines = LineReader(try directory.open(fileName), limit: DataGroup.maximumSize)
    var groups = DataGroups()
    while let line = try lines.next() {
      guard line.isWhole, let group = DataGroup(line.text), groups.deselect(group) else {
        throw .unusableStore(path: directory.path, .badGroups(line: lines.number))
      }
    }
    return groups
  }
}

extension LockedStore {
  /// Replaces the selection: power loss leaves the old one or the new one.
  package func replaceDataGroups(with groups: DataGroups) throws(Failure) {
    var text = ""
    for group in groups.deselected { text += group.text + "\n" }
    try reading.root.replace(DataGroups.fileName, with: Array(text.utf8))
  }
}
