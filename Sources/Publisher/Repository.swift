internal import Catalog
internal import Crypto
internal import MapModel
internal import Platform
package import Releases

/// A directory that is served to devices (`docs/format/repository.md`).
///
/// Holds only the path, so that every worker opens what it needs.
package struct Repository: Sendable {
  package let path: String

  static var folders: [String] { ["catalogs", "components", ServedMetadata.folder, "payloads"] }
  /// Where unfinished files are; everything else that has a name in the repository is complete.
  static var work: String { ".work" }

  /// Opens a directory that holds a repository.
  ///
  /// Files that the process makes from then on are for everyone, whatever its umask, for a server runs as another user;
  /// those with keys are not.
  package init(opening path: String) throws(PublisherError) {
    ThisProcess.shareFiles()
    self.path = PathParts.withoutTrailingSlash(path)
    do throws(Failure) {
      let directory = try Directory(opening: self.path)
      if try directory.status(of: ServedMetadata.timestampPath)?.kind == .file { return }
    } catch {
      guard error.errno == .noEntry || error.errno == .notADirectory else { throw .file(error) }
    }
    throw .repository(.notARepository(path: self.path))
  }

  func open() throws(PublisherError) -> Directory {
    try onFile { () throws(Failure) in try Directory(opening: path) }
  }

  /// The releases that devices see, the newest last.
  package func releases() throws(PublisherError) -> [ServedRelease] { try ServedMetadata(of: self).releases }

  /// Gives a metadata file its name; when this returns, that survives power loss.
  static func put(_ file: SignedFile, in directory: borrowing Directory) throws(Failure) {
    let new = "\(work)/\(file.name)"
    try directory.makeDirectory(work)
    let written = try directory.open(new, to: .replace)
    try written.write(file.bytes.span.bytes)
    try written.synchronize()
    try written.close()
    try directory.rename(new, to: "\(ServedMetadata.folder)/\(file.name)")
    let folder = try directory.openDirectory(ServedMetadata.folder)
    try folder.synchronize()
  }
}
