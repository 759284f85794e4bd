internal import Platform
internal import Trust

/// A private directory in `TMPDIR`, or else in `/tmp`, for the time of a command; it is removed at the end.
struct TemporaryFolder: ~Copyable {
  private let parent: Directory
  private let name: String
  let directory: Directory

  init() throws(PublisherError) {
    let name = "tinypublish-\(UInt64.random(in: 0 ... .max))"
    let parent = try onFile { () throws(Failure) in
      try Directory(opening: Environment.temporaryDirectory)
    }
    let directory = try onFile { () throws(Failure) in
      try parent.makePrivateDirectory(name)
      return try parent.openDirectory(name)
    }
    self.name = name
    self.parent = parent
    self.directory = directory
  }

  deinit {
    do throws(Failure) { try parent.removeTree(name) } catch {}
  }

  var path: String { directory.path }

  /// The metadata store of a verifying device, in the folder itself.
  func metadata() throws(TrustError) -> MetadataDirectory {
    let directory: Directory
    do throws(Failure) { directory = try parent.openDirectory(name) } catch { throw .file(error) }
    return try MetadataDirectory(directory)
  }

  /// Replaces the file of that name by an empty one.
  func file(_ name: String) throws(Failure) -> File {
    try directory.open(name, to: .replace)
  }
}
