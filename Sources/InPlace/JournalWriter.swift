internal import Crypto
package import MapModel
internal import Platform
package import Store

/// Writes the journal of an update in place while its payloads are stored; nothing of the maps is touched.
package struct JournalWriter: ~Copyable {
  private let folder: Directory
  private var lines: SealedWriter
  private let parts: [CatalogReference]
  private var count = 0

  /// - `parts`: of the target's catalog, those that list what is installed.
  package init(
    in store: borrowing LockedStore, target: CatalogedRelease, parts: [CatalogReference]
  ) throws(InPlaceError) {
    let folder = try storing { () throws(StoreError) in try store.prepareInPlace() }
    let lines = try storing { () throws(StoreError) in
      try JournalWriter.begin(in: folder, target: target, parts: parts)
    }
    self.folder = folder
    self.lines = lines
    self.parts = parts
  }

  private static func begin(
    in folder: borrowing Directory, target: CatalogedRelease, parts: [CatalogReference]
  ) throws(StoreError) -> SealedWriter {
    let file: File
    do throws(FileError) { file = try folder.open(Journal.fileName, to: .make) } catch { throw .file(error) }
    var lines = try SealedWriter(file, format: Journal.format)
    let (release, catalog) = (target.release, target.catalog)
    try lines.write("target \(release.number) \(release.label) \(catalog.digest.hex) \(catalog.size)\n")
    for part in parts { try lines.write("part \(part.digest.hex) \(part.size)\n") }
    return lines
  }

  /// The caller adds in the order of the catalog.
  package mutating func add(_ entry: JournalEntry) throws(InPlaceError) {
    if entry.change == .make { count += 1 }
    do throws(StoreError) { try lines.write(entry.lines) } catch { throw InPlaceError(error) }
  }

  /// Seals the journal: every payload is stored.
  ///
  /// The first line that is added to it flushes it.
  package consuming func finish() throws(InPlaceError) -> InPlaceDraft {
    do throws(StoreError) { _ = try lines.finish() } catch { throw InPlaceError(error) }
    return InPlaceDraft(folder, parts: parts, count: count)
  }
}
