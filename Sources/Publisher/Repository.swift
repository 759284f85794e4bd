package import Catalog
internal import Crypto
internal import Platform

/// A directory that devices are served from (`docs/format.md`, Repository).
///
/// A value that only knows the path, so that every worker opens what it needs.
package struct Repository: Sendable {
  package let path: String

  static var folders: [String] { ["catalogs", "components", "payloads"] }
  /// Where unfinished files are; everything else that has a name in the repository is complete.
  static var work: String { ".work" }

  /// Opens a directory that holds a repository.
  package init(opening path: String) throws(PublisherError) {
    self.path = Repository.withoutSlash(path)
    do throws(FileError) {
      let directory = try Directory(opening: self.path)
      if try directory.status(of: Releases.fileName)?.kind == .file { return }
    } catch {
      guard error.errno == .noEntry || error.errno == .notADirectory else { throw .file(error) }
    }
    throw .notARepository(path: self.path)
  }

  /// What `initialize` found.
  package enum Initialization: Equatable { case made, alreadyThere }

  /// Makes an empty repository; one that is there already stays as it is.
  ///
  /// `releases.xml` comes last: a directory without it is not yet a repository.
  package static func initialize(_ path: String) throws(PublisherError) -> Initialization {
    let path = withoutSlash(path)
    try makeDirectories(path)
    let directory = try onFile { () throws(FileError) in try Directory(opening: path) }
    try lock(directory)
    let isRepository = try onFile { () throws(FileError) in
      try directory.status(of: Releases.fileName)?.kind == .file
    }
    if isRepository {
      let repository = try Repository(opening: path)
      _ = try repository.releases()
      try onFile { () throws(FileError) in
        for folder in folders { try directory.makeDirectory(folder) }
      }
      return .alreadyThere
    }
    guard try isUnused(directory) else { throw .notEmpty(path: path) }
    try onFile { () throws(FileError) in
      for folder in folders + [work] { try directory.makeDirectory(folder) }
      try replaceReleases([], in: directory)
      try directory.removeTree(work)
      try directory.synchronize()
    }
    return .made
  }

  /// The open directory, locked against other publishers until it is closed.
  func locked() throws(PublisherError) -> Directory {
    let directory = try open()
    try Repository.lock(directory)
    return directory
  }

  func open() throws(PublisherError) -> Directory {
    try onFile { () throws(FileError) in try Directory(opening: path) }
  }

  /// The releases that are served, the newest last.
  package func releases() throws(PublisherError) -> [ServedRelease] {
    let directory = try open()
    let file = try onFile { () throws(FileError) in try directory.open(Releases.fileName) }
    let path = file.path
    do throws(CatalogError) {
      return try Releases.read(FileSource(file, limit: Limits.releasesFile), path: path)
    } catch { throw .damaged(error) }
  }

  /// All components of a release, checked against the digest in `releases.xml`.
  func catalog(of served: ServedRelease) throws(PublisherError) -> CatalogIndex {
    let path = "\(path)/\(served.url)"
    let found: FileDigest
    do throws(PublisherError) { found = try FileDigest.of(path) } catch {
      if case .file(let error) = error { throw .damaged(.file(error)) }
      throw error
    }
    guard found.size == served.size, found.digest == served.catalog else { throw .wrongDigest(path: path) }
    let file = try onFile { () throws(FileError) in try File(opening: path) }
    do throws(CatalogError) {
      var reader = try CatalogReader(file, detail: .full)
      var entries: [CatalogEntry] = []
      while let entry = try reader.next() { entries.append(entry) }
      return CatalogIndex(entries)
    } catch { throw .damaged(error) }
  }

  /// Replaces `releases.xml`: the one moment at which a release comes to be.
  static func replaceReleases(
    _ releases: [ServedRelease], in directory: borrowing Directory
  ) throws(FileError) {
    let new = "\(work)/\(Releases.fileName)"
    let file = try directory.open(new, .replace)
    try file.write(Releases.document(releases))
    try file.synchronize()
    try file.close()
    try directory.rename(new, to: Releases.fileName)
    try directory.synchronize()
  }

  private static func lock(_ directory: borrowing Directory) throws(PublisherError) {
    do throws(FileError) { try directory.lock(.exclusive) } catch {
      throw error.errno == .wouldBlock ? .busy(path: error.path) : .file(error)
    }
  }

  /// Holds nothing but what an interrupted `initialize` leaves.
  private static func isUnused(_ directory: borrowing Directory) throws(PublisherError) -> Bool {
    try onFile { () throws(FileError) in
      var isUnused = true
      try directory.forEachName { (name) throws(FileError) in
        guard folders.contains(name) else {
          if name != work { isUnused = false }
          return
        }
        let folder = try directory.openDirectory(name)
        try folder.forEachName { (_) throws(FileError) in isUnused = false }
      }
      return isUnused
    }
  }

  private static func makeDirectories(_ path: String) throws(PublisherError) {
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    let name = isAbsolute ? String(path.dropFirst()) : path
    guard !name.isEmpty else { return }
    try onFile { () throws(FileError) in
      let base = try Directory(opening: isAbsolute ? "/" : ".")
      try base.makeParents(of: name)
      try base.makeDirectory(name)
    }
  }

  private static func withoutSlash(_ path: String) -> String {
    var path = path[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
    return String(path)
  }
}

/// The components of one release, in order, to be looked up by name.
struct CatalogIndex: Sendable {
  let entries: [CatalogEntry]

  /// - Parameter entries: in order of their names.
  init(_ entries: [CatalogEntry] = []) { self.entries = entries }

  subscript(name: ComponentName) -> CatalogEntry? {
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if entries[middle].name == name { return entries[middle] }
      range = entries[middle].name < name ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}
