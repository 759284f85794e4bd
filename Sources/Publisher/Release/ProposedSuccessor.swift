package import MapModel
internal import Platform

/// A package that is gone, and a new one that may take its place.
package struct ProposedSuccessor: Comparable, Sendable {
  package let old: PackageID
  package let new: PackageID
  /// With this layout of names, both are the same package; nil: the new one has data of the old one.
  package var layout: NameLayout?

  package static func < (a: ProposedSuccessor, b: ProposedSuccessor) -> Bool {
    (a.old, a.new) < (b.old, b.new)
  }

  /// The proposal, and how to accept it.
  package var sentence: String {
    if let layout {
      return "\(new) is called as \(old) but for a number: --layout '\(layout.text)' takes it out of the ids."
    }
    return """
      \(new) has data of \(old): if it takes its place, say replaces=\"\(old)\" in its map.xml, or \
      <replaced id=\"\(old)\" by=\"\(new)\"/> in one above it.
      """
  }
}

extension [ProposedSuccessor] {
  /// These, and new files that are called as lost ones but for a number.
  ///
  /// - `gone`, `added`: their paths and packages.
  func with(versionsOf gone: [ComponentName], in added: [ComponentName]) -> [ProposedSuccessor] {
    var lost: [String: ComponentName] = [:]
    for name in gone { if let key = Self.key(of: name.file)?.key { lost[key] = name } }
    var found = Dictionary(map { ([$0.old, $0.new], $0) }) { first, _ in first }
    for name in added {
      guard let (key, layout) = Self.key(of: name.file), let old = lost[key], old.id != name.id else {
        continue
      }
      found[[old.id, name.id]] = ProposedSuccessor(old: old.id, new: name.id, layout: layout)
    }
    return found.values.sorted()
  }

  /// The part of a path that its versions share.
  private static func key(of path: ComponentPath) -> (key: String, layout: NameLayout)? {
    let parts = path.text.parts(separatedBy: "/")
    guard let name = parts.last, let layout = NameLayout.withoutVersion(of: name),
      let reading = layout.read(parts)
    else { return nil }
    let ending = DataFileName(name).ending
    return ("\(layout.text) \(reading.id.joined(separator: "/")) \(ending)", layout)
  }
}
