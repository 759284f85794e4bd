internal import Crypto
package import MapModel
internal import Platform

/// An update in place: its beginning, up to where it cannot be undone, and its end.
extension LockedStore {
  /// Writes down that the current generation is to be converted to `target`, whose catalog is in `catalogs`.
  ///
  /// Nothing else is changed yet: without its base, the next process removes the conversion and goes back. The commit of
  /// the generation without what changes makes it durable.
  ///
  /// - `parts`: of the catalog, which are needed for what is installed.
  package func prepareConversion(
    to target: CatalogedRelease, catalog catalogs: borrowing Staging, parts: [CatalogReference],
    from files: CatalogParts
  ) throws(StoreError) {
    guard let current = try reading.currentNumber() else { return }
    let new = Conversion.name + ".new"
    try storing { () throws(FileError) in
      try reading.root.removeTree(new)
      try reading.root.makeDirectory(new)
      let directory = try reading.root.openDirectory(new)
      let newest = try directory.open("newest", to: .make)
      try newest.write(KnownRelease(target).text)
      try newest.close()
      let name = target.catalog.digest.hex
      try catalogs.directory.link(name, to: directory, as: name)
      if try reading.root.status(of: DataGroups.fileName) != nil {
        try reading.root.link(DataGroups.fileName, to: directory, as: DataGroups.fileName)
      }
      try directory.makeSymbolicLink(Conversion.from, to: "../generations/\(current)")
    }
    try linkParts(parts, from: files, to: new)
    try storing { () throws(FileError) in try reading.root.rename(new, to: Conversion.name) }
  }

  private func linkParts(
    _ parts: [CatalogReference], from files: CatalogParts, to conversion: String
  ) throws(StoreError) {
    guard !parts.isEmpty else { return }
    let directory = try storing { () throws(FileError) in
      let directory = try reading.root.openDirectory(conversion)
      try directory.makeDirectory(CatalogParts.folder)
      return try directory.openDirectory(CatalogParts.folder)
    }
    for part in parts { try files.link(part, in: directory, as: part.digest.hex) }
  }

  /// Gives the conversion the generation that it begins from, which is not current any more.
  ///
  /// From here on nothing else has its files, and there is no way back.
  ///
  /// - `limit`: milliseconds to wait for readers that hold the generation; `busy` if they still do.
  package func takeBase(
    _ number: UInt64, within limit: UInt64, shouldStop: () -> Bool
  ) throws(StoreError) {
    let generation = try storing { () throws(FileError) in
      try reading.generations.openDirectory("\(number)")
    }
    let isLocked: Bool
    do throws(FileError) {
      isLocked = try generation.lock(.exclusive, within: limit, every: 50, shouldStop: shouldStop)
    } catch { throw error.errno == .wouldBlock ? .busy(path: generation.path) : .file(error) }
    guard isLocked else { throw .cancelled }
    try storing { () throws(FileError) in
      try reading.root.rename("generations/\(number)", to: "\(Conversion.name)/\(Conversion.base)")
    }
  }

  /// Makes durable that the conversion owns its base, and what is staged for it, whichever process did that.
  package func synchronizeConversion() throws(StoreError) {
    try storing { () throws(FileError) in try reading.root.synchronizeFileSystem() }
  }

  /// Goes back to where a conversion began that does not own its base, and forgets it; does nothing if there is none.
  package func abandonConversion() throws(StoreError) {
    guard let directory = try Conversion.open(reading.root) else { return }
    let (hasBase, from) = try storing { () throws(FileError) in
      (
        try directory.status(of: Conversion.base) != nil,
        try directory.readSymbolicLink(Conversion.from)?.parts(separatedBy: "/").last
      )
    }
    guard !hasBase else { return }
    if let number = from.flatMap({ Store.generationNumber($0) }), try reading.currentNumber() != number,
      try storing({ () throws(FileError) in try reading.generations.status(of: "\(number)") != nil })
    {
      try switchCurrent(to: number)
    }
    try endConversion()
  }

  /// Removes the conversion with everything that it owns.
  package func endConversion() throws(StoreError) {
    try storing { () throws(FileError) in
      let old = Conversion.name + ".old"
      try reading.root.removeTree(old)
      try reading.root.rename(Conversion.name, to: old)
      try reading.root.synchronize()
      try reading.root.removeTree(old)
    }
  }
}
