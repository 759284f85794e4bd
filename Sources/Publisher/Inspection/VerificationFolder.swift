internal import Platform
internal import Trust

/// A private directory for what a device would store; it is removed at the end.
struct VerificationFolder: ~Copyable {
  private let parent: Directory
  private let name: String
  let path: String

  /// - `parent`: the path of the directory in which it is made.
  init(in parent: String) throws(PublisherError) {
    let name = "tinypublish-verify-\(UInt64.random(in: 0 ... .max))"
    let directory = try onFile { () throws(FileError) in
      let directory = try Directory(opening: parent)
      try directory.makePrivateDirectory(name)
      return directory
    }
    self.name = name
    path = "\(parent)/\(name)"
    self.parent = directory
  }

  deinit {
    do throws(FileError) { try parent.removeTree(name) } catch {}
  }

  func metadata() throws(TrustError) -> MetadataDirectory {
    let directory: Directory
    do throws(FileError) { directory = try parent.openDirectory(name) } catch { throw .file(error) }
    return try MetadataDirectory(directory)
  }

  /// A new and empty file instead of the one that has the name.
  func file(_ name: String) throws(FileError) -> File {
    try parent.openDirectory(self.name).open(name, to: .replace)
  }
}
