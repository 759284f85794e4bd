package import Platform
package import Releases
internal import Trust

extension SignedFile {
  /// Reads a file named on the command line.
  package init(at path: String) throws(PublisherError) {
    let bytes = try onFile { () throws(Failure) in
      try File(opening: path).bytes(upTo: TrustLimits.fileInMemory)
    }
    do throws(TrustError) { try self.init(parsing: bytes, file: path) } catch {
      throw .signatures(.notMetadata(error))
    }
  }

  /// Adds the signatures of all keys of its role in `store` and saves the file; returns the ids of the keys.
  ///
  /// Needs no repository. Which of the keys count is decided when the file is imported.
  package mutating func sign(
    in store: KeyStore, savedAt output: OutputPath
  ) throws(PublisherError) -> [String] {
    let keys = try store.keys(role)
    guard !keys.isEmpty else { throw .keys(.noKeys(role: role.name, path: store.path)) }
    try sign(by: keys, in: store)
    try save(as: output)
    return keys.map(\.id)
  }

  /// Replaces a file.
  func save(as output: OutputPath) throws(PublisherError) {
    let bytes = bytes
    try onFile { () throws(Failure) in
      let file = try OutputFile(output)
      try file.file.write(bytes.span.bytes)
      try file.complete()
    }
  }

  /// The keys of a root; nil for other files.
  package var rootContent: RootContent? {
    get throws(PublisherError) {
      guard role == .root else { return nil }
      do throws(TrustError) {
        let root = try Root(Envelope(bytes, file: name))
        do throws(PublisherError) { return try RootContent(root) } catch { return nil }
      } catch { throw .signatures(.notMetadata(error)) }
    }
  }

  /// The releases that targets list; nil for other files.
  package var releases: [ServedRelease]? {
    get throws(PublisherError) {
      guard role == .targets else { return nil }
      do throws(TrustError) { return try ServedMetadata.releases(in: self, file: name) } catch {
        throw .signatures(.notMetadata(error))
      }
    }
  }
}
