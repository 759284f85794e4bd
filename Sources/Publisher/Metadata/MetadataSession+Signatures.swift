internal import Platform
package import Trust

/// Signatures that are made elsewhere.
extension MetadataSession {
  /// Takes over the signatures of files that came back, and publishes what has enough of them.
  package mutating func importSignatures(_ paths: [String]) throws(PublisherError) -> ChangeOutcome {
    guard !pending.isEmpty else { throw .nothingPending(path: repository.path) }
    var merged = pending
    for path in paths {
      let file = try SignedFile(at: path)
      switch file.role {
      case .root: merged.root = try merge(file, path, into: merged.root)
      case .targets: merged.targets = try merge(file, path, into: merged.targets)
      case .snapshot, .timestamp: throw .notPending(path: path)
      }
    }
    let outcome = try apply(merged)
    guard case .pending(let missing) = outcome, pending.files.count > 1 else { return outcome }
    // One of them may do without the other.
    for file in pending.files {
      var part = PendingFiles()
      if file.role == .root { part.root = file } else { part.targets = file }
      if try apply(part) == .published { break }
    }
    let rest = missing.filter { missing in pending.files.contains { $0.name == missing.file } }
    return rest.isEmpty ? .published : .pending(rest)
  }

  private func merge(
    _ file: SignedFile, _ path: String, into waiting: SignedFile?
  ) throws(PublisherError) -> SignedFile {
    guard var merged = waiting, merged.version == file.version else { throw .notPending(path: path) }
    guard merged.canonical == file.canonical else { throw .otherContent(path: path) }
    for key in try signers(file.role, nextRoot()) where file.isSigned(by: key) {
      for signature in file.signatures where signature.keyID == key.id { merged.add(signature) }
    }
    return merged
  }
}

extension SignedFile {
  /// Reads a file that somebody names.
  package init(at path: String) throws(PublisherError) {
    let bytes = try onFile { () throws(FileError) in
      try File(opening: path).bytes(upTo: Trust.Limits.fileInMemory)
    }
    do throws(TrustError) { try self.init(parsing: bytes, file: path) } catch { throw .notMetadata(error) }
  }

  /// Adds the signatures of all keys of its role that are in `store`, in place; returns their ids.
  ///
  /// Needs no repository. Which of the keys count is decided by whoever imports the file.
  package mutating func sign(
    in store: KeyStore, savedAt path: String
  ) throws(PublisherError) -> [String] {
    let keys = try store.keys(role)
    guard !keys.isEmpty else { throw .noKeys(role: role.name, path: store.path) }
    try sign(by: keys, in: store)
    let (parent, name) = KeyStore.split(path)
    let bytes = bytes
    try onFile { () throws(FileError) in try Directory(opening: parent).replace(name, with: bytes) }
    return keys.map(\.id)
  }

  /// What a root says of its keys; nil for another kind.
  package var rootContent: RootContent? {
    get throws(PublisherError) {
      guard role == .root else { return nil }
      do throws(TrustError) {
        let root = try Root(Envelope(bytes, file: name))
        do throws(PublisherError) { return try RootContent(root) } catch { return nil }
      } catch { throw .notMetadata(error) }
    }
  }

  /// The releases that targets list; nil for another kind.
  package var releases: [ReleaseTarget]? {
    get throws(PublisherError) {
      guard role == .targets else { return nil }
      do throws(TrustError) { return try ServedMetadata.releases(in: self, file: name) } catch {
        throw .notMetadata(error)
      }
    }
  }
}

extension PendingFiles {
  /// What waits in a repository.
  package init(of repository: Repository) throws(PublisherError) {
    let directory = try repository.open()
    self = try PendingFiles(of: directory, after: ServedMetadata(of: repository))
  }

  /// Copies the files for whoever has the keys; returns their paths.
  package func export(to path: String, of repository: Repository) throws(PublisherError) -> [String] {
    guard !isEmpty else { throw .nothingPending(path: repository.path) }
    try onFile { () throws(FileError) in
      let directory = try Directory(opening: path)
      for file in files { try directory.replace(file.name, with: file.bytes) }
    }
    return files.map { "\(Repository.withoutSlash(path))/\($0.name)" }
  }
}
