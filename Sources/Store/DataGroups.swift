internal import Platform

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
    !deselected.contains { $0.utf8.elementsEqual(group.utf8) }
  }

  package mutating func select(_ group: String) {
    deselected.removeAll { $0.utf8.elementsEqual(group.utf8) }
  }

  /// False if it cannot be: it is essential, or there are too many.
  package mutating func deselect(_ group: String) -> Bool {
    guard isSelected(group) else { return true }
    guard !group.utf8.elementsEqual(DataGroups.essential.utf8), deselected.count < DataGroups.maximum else {
      return false
    }
    deselected.append(group)
    deselected.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return true
  }

  /// How many can be deselected: many times what any map has.
  package static var maximum: Int { 256 }
  /// Bytes of one name.
  fileprivate static var maximumName: Int { 64 }
  fileprivate static var fileName: String { "groups" }
}

extension Store {
  /// The selection; everything is selected where none was ever made.
  package func dataGroups() throws(StoreError) -> DataGroups {
    let status = try storing { () throws(FileError) in try root.status(of: DataGroups.fileName) }
    guard let status else { return DataGroups() }
    guard status.kind == .file else { throw .unusable(path: path, .strayGroups) }
    var lines = try storing { () throws(FileError) in
      LineReader(try root.open(DataGroups.fileName), limit: DataGroups.maximumName)
    }
    var groups = DataGroups()
    while let line = try next(&lines) {
      guard line.isWhole, Store.isName(line.bytes), groups.deselect(line.text) else {
        throw .unusable(path: path, .badGroups(line: lines.number))
      }
    }
    return groups
  }

  /// Replaces the selection: power loss leaves the old one or the new one.
  package func replaceDataGroups(with groups: DataGroups) throws(StoreError) {
    var text = ""
    for group in groups.deselected { text += group + "\n" }
    try storing { () throws(FileError) in
      try root.replace(DataGroups.fileName, with: Array(text.utf8))
    }
  }

  private func next(_ lines: inout LineReader) throws(StoreError) -> LineReader.Line? {
    do throws(FileError) { return try lines.next() } catch { throw .file(error) }
  }

  private static func isName(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") }
  }
}
