internal import Platform
internal import Trust

/// Changes that wait for signatures from other machines; no device sees them.
package struct PendingFiles: Equatable, Sendable {
  package var root: SignedFile?
  package var targets: SignedFile?

  static var folder: String { ".pending" }

  package var files: [SignedFile] { [root, targets].compactMap { $0 } }
  package var isEmpty: Bool { files.isEmpty }

  init() {}

  /// The pending changes of a repository, without those that have been published since.
  init(of directory: borrowing Directory, after served: ServedMetadata) throws(PublisherError) {
    root = try PendingFiles.read(.root, version: served.rootFile.version + 1, in: directory)
    targets = try PendingFiles.read(.targets, version: served.targets.version + 1, in: directory)
  }

  private static func read(
    _ role: Root.TopLevel, version: UInt64, in directory: borrowing Directory
  ) throws(PublisherError) -> SignedFile? {
    let name = "\(folder)/\(SignedFile.name(role, version: version))"
    let bytes = try onFile { () throws(Failure) in
      guard try directory.status(of: name)?.kind == .file else { return nil as [UInt8]? }
      return try directory.open(name).bytes(upTo: TrustLimits.fileInMemory)
    }
    guard let bytes else { return nil }
    let path = "\(directory.path)/\(name)"
    do throws(TrustError) {
      let file = try SignedFile(parsing: bytes, file: path)
      guard file.role == role, file.version == version else { throw .mismatched(file: path) }
      return file
    } catch { throw .repository(.metadata(error)) }
  }

  /// Saves these files, and removes all others.
  func save(in directory: borrowing Directory) throws(PublisherError) {
    try onFile { () throws(Failure) in
      if files.isEmpty { return try directory.removeTree(PendingFiles.folder) }
      try directory.makeDirectory(PendingFiles.folder)
      let folder = try directory.openDirectory(PendingFiles.folder)
      for file in files { try folder.replace(file.name, with: file.bytes) }
      let names = files.map(\.name)
      try folder.forEachName { (name) throws(Failure) in
        if !names.contains(name) { try folder.remove(name) }
      }
      try directory.synchronize()
    }
  }
}
