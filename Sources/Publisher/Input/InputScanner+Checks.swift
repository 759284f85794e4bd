internal import Catalog
internal import CatalogWriting
internal import MapModel
internal import Platform

/// The checks of names and descriptions.
extension InputScanner {
  /// Refuses duplicate components and packages within packages; `components` are sorted.
  func checkNames() throws(PublisherError) {
    var packages: [PackageID: String] = [:]
    for (index, component) in components.enumerated() {
      let name = component.description.name
      packages[name.id] = component.path
      if index > 0, components[index - 1].description.name == name {
        throw .input(.sameComponent(name, first: components[index - 1].path, second: component.path))
      }
    }
    try checkSpelling()
    try checkPaths()
    for component in components {
      for region in component.description.name.id.regions(below: nil) {
        guard let outer = packages[region] else { continue }
        throw .input(.nestedPackages(outer: outer, inner: component.path))
      }
    }
  }

  /// Refuses files that cannot be on a device together: one of them would be where the other, or its index, is.
  private func checkPaths() throws(PublisherError) {
    var owners: [[UInt8]: String] = [:]
    for component in components {
      for path in component.paths {
        if let other = owners.updateValue(component.path, forKey: Array(path.utf8)) {
          throw .input(.samePath(path, first: other, second: component.path))
        }
      }
    }
    for component in components {
      for directory in component.directories {
        guard let other = owners[Array(directory.utf8)] else { continue }
        throw .input(.samePath(directory, first: other, second: component.path))
      }
    }
  }

  /// Refuses two packages, regions or data groups that people cannot tell apart, and that the packers of some systems
  /// turn into one another.
  private func checkSpelling() throws(PublisherError) {
    var (ids, groups) = (Spellings(), Spellings())
    for component in components {
      let name = component.description.name
      for id in name.id.regions(below: nil) + [name.id] { try ids.add(id.text, of: component.path) }
      try groups.add(name.dataGroup.text, of: component.path)
    }
  }

  static func check(_ description: Description, of path: String) throws(PublisherError) {
    let texts = [description.group, description.country, description.region]
    try check(
      [description.name.id.text, description.name.dataGroup.text, description.release.label],
      texts: texts + description.geography.names.map(\.text), of: path)
  }

  /// Refuses names and texts with control characters, which would affect the terminal that lists them.
  static func check(_ names: [String], texts: [String], of path: String) throws(PublisherError) {
    let found =
      names.lazy.compactMap { ControlCharacter(inName: $0) }.first
      ?? texts.lazy.compactMap { ControlCharacter(inText: $0) }.first
    if let found { throw .input(.controlCharacter(path: path, codePoint: found.codePoint)) }
  }
}

extension InputComponent {
  /// The files that a device has of it.
  fileprivate var paths: [String] {
    let name = description.name
    if let tree { return tree.files.map { "\(name.file.place)/\($0.name)" } }
    return description.indexSize > 0 ? [name.path, name.indexPath] : [name.path]
  }

  /// The directories that a device has for it.
  fileprivate var directories: Set<String> {
    guard let tree else { return Set(description.name.file.directories) }
    return Set(
      tree.files.flatMap { ComponentPath("\(description.name.file.place)/\($0.name)")?.directories ?? [] })
  }
}
