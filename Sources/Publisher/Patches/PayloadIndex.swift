internal import Catalog
internal import Crypto
internal import DeltaApply
internal import PatchFormat
internal import Platform
internal import Releases
internal import Trust

/// The payloads that lie in a repository, by what they are made from and what they make.
///
/// Their heads say it, so that an interrupted run needs no notes to find again what it has made.
struct PayloadIndex: Sendable {
  private var containers: [Key: Container] = [:]

  /// Their heads know a file by a few bytes of its digest.
  private struct Key: Hashable {
    /// Nil for a packed component.
    let old: UInt32?
    let new: UInt64

    init(old: Digest?, new: Digest) {
      self.old = old.map { UInt32(truncatingIfNeeded: $0.check) }
      self.new = new.check
    }

    init(_ head: PatchHead) {
      old = head.oldSize == 0 ? nil : head.oldCheck
      new = head.newCheck
    }
  }

  /// Opens only payloads that no release names: those that an interrupted run has made.
  ///
  /// A file that is not whole or not named by its head is none.
  ///
  /// `window`: releases whose components patches are made from. What they say of their payloads is taken as it is.
  /// `older`: releases before those in the window. What only they name is not opened; it would be made again.
  init(
    of repository: Repository, window: [CatalogIndex] = [], older: ArraySlice<ServedRelease> = []
  ) throws(PublisherError) {
    let root = try repository.open()
    let folder = try onFile { () throws(FileError) in try root.openDirectory("payloads") }
    var urls: Set<String> = []
    try onFile { () throws(FileError) in
      try folder.forEachName { (name) throws(FileError) in urls.insert("payloads/\(name)") }
    }
    for entry in window.lazy.flatMap(\.entries) {
      if let packed = entry.packed, urls.remove(packed.url) != nil {
        add(packed, Key(old: nil, new: entry.digest))
      }
      for patch in entry.patches where urls.remove(patch.container.url) != nil {
        add(patch.container, Key(old: patch.from, new: patch.to?.digest ?? entry.digest))
      }
    }
    for release in older.reversed() where !urls.isEmpty {
      for entry in PayloadIndex.entries(of: release, in: repository) {
        if let packed = entry.packed { urls.remove(packed.url) }
        for patch in entry.patches { urls.remove(patch.container.url) }
      }
    }
    for url in urls {
      if let (container, head) = try PayloadIndex.container(at: url, in: root) { add(container, Key(head)) }
    }
  }

  /// What seems to be the container that makes `new` from `old`; from nothing if that is nil.
  ///
  /// Its head says so in a few bytes, so it has to be applied before it is used.
  subscript(old: Digest?, new: Digest) -> Container? { containers[Key(old: old, new: new)] }

  /// None if the catalog cannot be read: then the payloads that it names are looked at, and nothing else changes.
  private static func entries(of release: ServedRelease, in repository: Repository) -> [CatalogEntry] {
    do throws(PublisherError) { return try repository.catalog(of: release).entries } catch { return [] }
  }

  /// Of two that do the same the smaller one counts, whatever the order of the directory.
  private mutating func add(_ container: Container, _ key: Key) {
    if let other = containers[key], (other.size, other.url) < (container.size, container.url) { return }
    containers[key] = container
  }

  /// The payload that lies there; nil if it is none.
  private static func container(
    at url: String, in root: borrowing Directory
  ) throws(PublisherError) -> (container: Container, head: PatchHead)? {
    let file = try onFile { () throws(FileError) in try root.open(url) }
    let size = try onFile { () throws(FileError) in try file.size() }
    let opening: PatchOpening
    do throws(DeltaError) { opening = try PatchOpening(readingFrom: file) } catch {
      if case .file(let error) = error { throw .file(error) }
      return nil
    }
    let container = Container(opening.head, digest: opening.digest, size: size)
    return container.url == url ? (container, opening.head) : nil
  }
}
