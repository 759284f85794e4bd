internal import Crypto
package import MapModel
package import Platform
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
  ) throws(Failure) {
    let folder = try store.prepareInPlace()
    let lines = try JournalWriter.begin(in: folder, target: target, parts: parts)
    self.folder = folder
    self.lines = lines
    self.parts = parts
  }

  private static func begin(
    in folder: borrowing Directory, target: CatalogedRelease, parts: [CatalogReference]
  ) throws(Failure) -> SealedWriter {
    let file = try folder.open(Journal.fileName, to: .make)
    var lines = try SealedWriter(file)
    let (release, catalog) = (target.release, target.catalog)
    let words = "\(release.number) \(release.label) \(catalog.digest.hex) \(catalog.size)"
    try lines.write("\(Journal.format)\ntarget \(words)\n")
    for part in parts { try lines.write("part \(part.digest.hex) \(part.size)\n") }
    return lines
  }

  /// The caller adds in the order of the catalog.
  package mutating func add(_ entry: JournalEntry) throws(Failure) {
    if entry.change == .make { count += 1 }
    try lines.write(entry.lines)
  }

  /// Seals the journal: every payload is stored.
  ///
  /// The first line that is added to it flushes it.
  package consuming func finish() throws(Failure) -> InPlaceDraft {
    _ = try lines.finish()
    return InPlaceDraft(folder, parts: parts, count: count)
  }
}
