internal import Platform

/// The directory that a release is read from: the input itself, or the one that an archive was unpacked to.
struct InputSource {
  /// As the user wrote it, for messages.
  let path: String
  /// The directory that is read.
  let directory: String

  /// The files will be others next time.
  var isUnpacked: Bool { path != directory }

  /// The name of the directory that an archive is unpacked to.
  private static var folder: String { "input" }

  init(directory path: String) { self.init(path: path, directory: path) }

  private init(path: String, directory: String) {
    self.path = path
    self.directory = directory
  }

  /// Unpacks the input if it is an archive; `repository`, whose payloads are locked, has room for that in `.work`.
  init(
    _ path: String, of repository: borrowing Directory, observe: (ReleaseEvent) -> Void
  ) throws(PublisherError) {
    do throws(Failure) {
      _ = try Directory(opening: path)
      self.init(directory: path)
      return
    } catch { guard error.errno == .notADirectory else { throw .file(error) } }
    let folder = "\(Repository.work)/\(InputSource.folder)"
    try Workspace.make(repository)
    let root = try onFile { () throws(Failure) in
      try repository.removeTree(folder, depth: PublisherLimits.inputDepth + 8)
      try repository.makePrivateDirectory(folder)
      return try repository.openDirectory(folder)
    }
    var unpacker = try ArchiveUnpacker(path, into: root)
    try unpacker.run(observe)
    self.init(path: path, directory: "\(repository.path)/\(folder)")
  }

  /// Where a file is read whose path is `path` for the user.
  func location(of path: String) -> String {
    directory + String(decoding: Array(path.utf8.dropFirst(self.path.utf8.count)), as: UTF8.self)
  }
}
