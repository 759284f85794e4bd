internal import MapModel
internal import Platform

extension Store {
  /// The selection; everything is selected where none was ever made.
  package func dataGroups() throws(StoreError) -> DataGroups {
    try DataGroups.read(root)
  }
}

extension DataGroups {
  /// The selection in `directory`; everything is selected where there is none.
  static func read(_ directory: borrowing Directory) throws(StoreError) -> DataGroups {
    let status = try storing { () throws(FileError) in try directory.status(of: fileName) }
    guard let status else { return DataGroups() }
    guard status.kind == .file else { throw .unusable(path: directory.path, .strayGroups) }
    var lines = try storing { () throws(FileError) in
      LineReader(try directory.open(fileName), limit: DataGroup.maximumSize)
    }
    var groups = DataGroups()
    while let line = try next(&lines) {
      guard line.isWhole, let group = DataGroup(line.text), groups.deselect(group) else {
        throw .unusable(path: directory.path, .badGroups(line: lines.number))
      }
    }
    return groups
  }

  private static func next(_ lines: inout LineReader) throws(StoreError) -> LineReader.Line? {
    try storing { () throws(FileError) in try lines.next() }
  }
}

extension LockedStore {
  /// Replaces the selection: power loss leaves the old one or the new one.
  package func replaceDataGroups(with groups: DataGroups) throws(StoreError) {
    var text = ""
    for group in groups.deselected { text += group.text + "\n" }
    try storing { () throws(FileError) in
      try reading.root.replace(DataGroups.fileName, with: Array(text.utf8))
    }
  }
}
