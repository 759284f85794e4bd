internal import Archive
internal import Catalog
internal import Crypto
internal import Platform

/// What is known of a bundle before the first byte of a file is read.
extension Repository {
  /// What comes through a pipe comes once.
  var isStream: Bool {
    if case .stream = bundle { true } else { false }
  }

  /// A bundle has the file; a server may have it.
  func has(_ name: String) throws(Failure) -> Bool { try bundle?.has(name) ?? true }

  /// The containers of a component that are certain not to be there, by their heads.
  ///
  /// Nothing is known of a server or a stream; what cannot be looked up fails when it is read.
  func absentContainers(of entry: CatalogEntry) -> [Digest] {
    guard let bundle, !isStream else { return [] }
    func isThere(_ container: Container) -> Bool {
      do throws(Failure) { return try bundle.has(container.url) } catch { return true }
    }
    return entry.containers.filter { !isThere($0) }.map { $0.head }
  }

  /// Refuses a file that is certain not to be there.
  func checkPresence(of name: String) throws(Failure) {
    guard let bundle, !isStream else { return }
    guard try bundle.has(name) else { throw .notInBundle(name: name, path: bundle.path) }
  }

  /// Passes over what comes through a pipe before the first of these files; nil if none of them comes.
  func find(_ names: [String]) throws(Failure) -> String? {
    guard case .stream(let stream) = bundle else { return nil }
    return try stream.find(names)
  }
}
