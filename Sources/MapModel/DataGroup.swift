/// The name of a data group, such as "routing": one kind of data of each package.
package struct DataGroup: BytewiseName {
  package let text: String

  /// Bytes of a name at most.
  package static var maximumSize: Int { 64 }

  /// Nil if `text` is not a name of a data group: one part of a path, of at most `maximumSize` bytes.
  package init?(_ text: String) {
    guard text.utf8.count <= DataGroup.maximumSize, Identifier.isPath(text, parts: 1) else { return nil }
    self.text = text
  }

  private init(known text: String) { self.text = text }

  /// The group that every package needs; it is always selected.
  package static var essential: DataGroup { DataGroup(known: "base") }
}
