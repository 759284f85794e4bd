package import MapModel
package import Platform
package import Store

/// The manifest of a merge walk: the next installed component.
package final class ManifestCursor {
  private var reader: ManifestReader?
  package private(set) var component: InstalledComponent?

  /// - `reader`: nil if nothing is installed.
  package static func open(_ reader: consuming ManifestReader?) throws(Failure) -> ManifestCursor {
    let cursor = ManifestCursor(reader)
    try cursor.advance()
    return cursor
  }

  // It does not throw: without a runtime library, an object whose initialiser throws is not freed.
  private init(_ reader: consuming ManifestReader?) { self.reader = reader }

  private func advance() throws(Failure) {
    guard var open = reader.take() else {
      component = nil
      return
    }
    component = try open.next()
    reader = consume open
  }

  /// Returns the next component and advances, if it is `name`.
  package func take(_ name: ComponentName) throws(Failure) -> InstalledComponent? {
    guard let found = component, found.name == name else { return nil }
    try advance()
    return found
  }

  /// Passes over the components before `name`, and returns that one if it is there.
  package func seek(_ name: ComponentName) throws(Failure) -> InstalledComponent? {
    while let found = component, found.name < name { try advance() }
    return component.flatMap { $0.name == name ? $0 : nil }
  }

  /// Passes over the components of packages before `id`.
  package func skip(to id: PackageID) throws(Failure) {
    while let found = component, found.name.id < id { try advance() }
  }

  /// Passes over the components of packages up to `id`.
  func skip(past id: PackageID) throws(Failure) {
    while let found = component, found.name.id <= id { try advance() }
  }

  /// Whether the next component belongs to the package `id`.
  package func isAt(_ id: PackageID) -> Bool { component?.name.id == id }
}
