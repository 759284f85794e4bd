internal import Catalog
internal import Crypto
internal import DeltaApply
internal import PatchFormat
internal import Platform
internal import Releases
internal import Trust

/// The payloads in a repository, by the files that they are made from and that they make.
///
/// Their heads identify both, so that a repeated run finds the payloads of an interrupted one without any notes.
struct PayloadIndex: Sendable {
  private var containers: [Key: Container] = [:]

  /// Heads identify a file by a few bytes of its digest.
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

  /// Opens only payloads that no release lists: those of an interrupted run.
  ///
  /// Files that are incomplete or not named after their head are ignored.
  ///
  /// - `window`: releases whose components patches are made from. Their catalogs are trusted about their payloads.
  /// - `older`: releases before those in the window. Payloads that only they list are not opened.
  init(
    of repository: Repository, window: [CatalogIndex], older: ArraySlice<ServedRelease>
  ) throws(PublisherError) {
    let root = try repository.open()
    let folder = try onFile { () throws(FileError) in try root.openDirectory("payloads") }
    var urls: Set<String> = []
    try onFile { () throws(FileError) in
      try folder.forEachName { (name) throws(FileError) in urls.insert("payloads/\(name)") }
    }
    for entry in window.lazy.flatMap(\.entries) {
      if let packed = entry.packed, urls.remove(packed.url) != nil {
        add(packed, for: Key(old: nil, new: entry.digest))
      }
      for patch in entry.patches where urls.remove(patch.container.url) != nil {
        add(patch.container, for: Key(old: patch.from, new: patch.to?.digest ?? entry.digest))
      }
    }
    for release in older.reversed() where !urls.isEmpty {
      for entry in PayloadIndex.entries(of: release, in: repository) {
        for payload in entry.containers { urls.remove(payload.url) }
      }
    }
    for url in urls {
      if let (container, head) = try PayloadIndex.container(at: url, in: root, of: repository) {
        add(container, for: Key(head))
      }
    }
  }

  /// The container that probably makes `new` from `old`; without a base if that is nil.
  ///
  /// Its head holds only a few bytes of the digests, so the payload must be checked before it is used.
  subscript(old: Digest?, new: Digest) -> Container? { containers[Key(old: old, new: new)] }

  /// Empty if the catalog cannot be read: then its payloads are opened, and nothing else changes.
  private static func entries(of release: ServedRelease, in repository: Repository) -> [CatalogEntry] {
    do throws(PublisherError) { return try repository.catalog(of: release).entries } catch { return [] }
  }

  /// Of two for the same files the smaller one counts, independent of the order of the directory.
  private mutating func add(_ container: Container, for key: Key) {
    if let other = containers[key], (other.size, other.url) < (container.size, container.url) { return }
    containers[key] = container
  }

  /// Reads the head of a payload, and the rest of it if it rebuilds streams; nil if the file is not a payload.
  private static func container(
    at url: String, in root: borrowing Directory, of repository: Repository
  ) throws(PublisherError) -> (container: Container, head: PatchHead)? {
    let file = try onFile { () throws(FileError) in try root.open(url) }
    let size = try onFile { () throws(FileError) in try file.size() }
    let opening: PatchOpening
    do throws(DeltaError) { opening = try PatchOpening(readingFrom: file) } catch {
      if case .file(let error) = error { throw .file(error) }
      return nil
    }
    var recompressed: UInt64 = 0
    if opening.head.shape.maximumContent > 0 {
      do throws(PublisherError) {
        recompressed = try PatchContents(of: "\(repository.path)/\(url)").rebuiltStreams.bytes
      } catch {
        if case .file = error { throw error }
        return nil  // only its head is right
      }
    }
    let container = Container(
      opening.head, digest: opening.digest, size: size, recompressed: recompressed)
    return container.url == url ? (container, opening.head) : nil
  }
}
