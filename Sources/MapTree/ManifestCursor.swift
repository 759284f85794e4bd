package import MapModel
package import Platform
package import Store

/// The manifest of a merge walk: the next installed component.
package struct ManifestCursor: ~Copyable {
  private var reader: ManifestReader?
  package private(set) var component: InstalledComponent?

  /// - `reader`: nil if nothing is installed.
  package init(_ reader: consuming ManifestReader?) throws(Failure) {
    self.reader = reader
    try advance()
  }

  private mutating func advance() throws(Failure) {
    guard var open = reader.take() else {
      component = nil
      return
    }
    component = try open.next()
    reader = consume open
  }

  /// Returns the next component and advances, if it is `name`.
  package mutating func take(_ name: ComponentName) throws(Failure) -> InstalledComponent? {
    guard let found = component, found.name == name else { return nil }
    try advance()
    return found
  }

  /// Passes over the components before `name`, and returns that one if it is there.
  package mutating func seek(_ name: ComponentName) throws(Failure) -> InstalledComponent? {
    while let found = component, found.name < name { try advance() }
    return component.flatMap { $0.name == name ? $0 : nil }
  }

  /// Passes over the components of packages before `id`.
  package mutating func skip(to id: PackageID) throws(Failure) {
    while let found = component, found.name.id < id { try advance() }
  }

  /// Whether the next component belongs to the package `id`.
  package func isAt(_ id: PackageID) -> Bool { component?.name.id == id }
}
