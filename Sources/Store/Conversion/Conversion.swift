package import MapModel
internal import Platform

/// An update in place that has begun (`docs/design.md`, In place).
///
///     conversion/newest       the release that it goes to, in the form of `catalogs/newest`
///     conversion/<sha256>     the catalog of that release
///     conversion/parts/       the parts of it that list what was installed
///     conversion/groups       the data groups that were deselected when it began
///     conversion/from         a symbolic link to the generation that it begins from
///     conversion/base/        that generation, once nothing else uses it: its maps are consumed
package struct Conversion: ~Copyable {
  /// The release that it goes to.
  package let target: CatalogedRelease
  /// Holds the catalog of the target.
  package let catalogs: Staging
  private let directory: Directory

  static var name: String { "conversion" }
  static var base: String { "base" }
  static var from: String { "from" }

  /// The conversion below `root` that owns its base; nil if there is none.
  ///
  /// Throws `unusable` if what it says of itself is lost.
  init?(_ root: borrowing Directory) throws(StoreError) {
    guard let directory = try Conversion.open(root),
      try storing({ () throws(FileError) in try directory.status(of: Conversion.base) != nil })
    else { return nil }
    let target = try Conversion.readTarget(directory)
    let files = try storing { () throws(FileError) in try directory.openDirectory(".") }
    self.target = target
    catalogs = Staging(files)
    self.directory = directory
  }

  static func open(_ root: borrowing Directory) throws(StoreError) -> Directory? {
    do throws(FileError) { return try root.openDirectory(Conversion.name) } catch {
      guard error.errno == .noEntry || error.errno == .notADirectory else { throw .file(error) }
      return nil
    }
  }

  private static func readTarget(_ directory: borrowing Directory) throws(StoreError) -> CatalogedRelease {
    let files = try storing { () throws(FileError) in try directory.openDirectory(".") }
    let cache = CatalogCache(files)
    guard let known = try cache.known(), try cache.has(known.newest.catalog) else {
      throw .unusable(path: directory.path, .lostConversion)
    }
    return known.newest
  }

  /// The generation that is consumed.
  package func openBase() throws(StoreError) -> Generation {
    Generation(
      number: 0, directory: try storing { () throws(FileError) in try directory.openDirectory("base") })
  }

  /// The data groups that were selected when it began.
  package func dataGroups() throws(StoreError) -> DataGroups { try DataGroups.read(directory) }
}

extension Store {
  /// There is an update in place that cannot be undone any more.
  package func isConverting() throws(StoreError) -> Bool {
    guard let directory = try Conversion.open(root) else { return false }
    return try storing { () throws(FileError) in try directory.status(of: Conversion.base) != nil }
  }

  /// The update in place that is under way; nil if there is none.
  package func conversion() throws(StoreError) -> Conversion? { try Conversion(root) }
}
