internal import Platform
package import Releases
internal import Trust

/// A metadata file, with its signatures verified by the newest root beside it.
package struct MetadataInspection: Equatable, Sendable {
  package let file: SignedFile
  /// The keys, for a root; nil for other files.
  package let content: RootContent?
  /// The releases, for targets; nil for other files.
  package let releases: [ServedRelease]?
  package let signatures: [Row]
  /// The path of the root that verified the signatures; nil if none was found.
  package let verifyingRoot: String?
  /// The threshold of the role that signs it; nil without a root.
  package let threshold: Int?

  package struct Row: Equatable, Sendable {
    package let keyID: String
    /// Nil if it could not be verified.
    package let isValid: Bool?
  }

  init(of path: String) throws(PublisherError) {
    let file = try SignedFile(at: path)
    self.file = file
    content = try file.rootContent
    releases = try file.releases
    let found = try MetadataInspection.root(for: file, at: path)
    verifyingRoot = found?.path
    let role = try found.map { (found) throws(PublisherError) in try RootContent(found.root)[file.role] }
    threshold = role?.threshold
    signatures = file.signatures.map { signature in
      let key = role?.keys.first { $0.id == signature.keyID }
      return Row(
        keyID: signature.keyID, isValid: role == nil ? nil : key.map { file.isSigned(by: $0) } ?? false)
    }
  }

  /// A root is verified by itself; other files by the newest root in the same directory, or in the `metadata` beside it.
  private static func root(
    for file: SignedFile, at path: String
  ) throws(PublisherError) -> (root: Root, path: String)? {
    let parent = PathParts(of: path).parent
    var candidates = ["\(parent)/../\(ServedMetadata.folder)", parent]
    if file.role == .root { candidates = [] }
    do throws(TrustError) {
      if file.role == .root { return (try Root(Envelope(file.bytes, file: path)), path) }
      while let folder = candidates.popLast() {
        let newest = try MetadataInspection.newestRoot(folder)
        guard newest > 0 else { continue }
        let path = "\(folder)/\(newest).root.json"
        let bytes = try SignedFileReader.bytes(path, upTo: TrustLimits.root)
        return (try Root(Envelope(bytes, file: path)), path)
      }
      return nil
    } catch { throw .signatures(.notMetadata(error)) }
  }

  private static func newestRoot(_ folder: String) throws(TrustError) -> UInt64 {
    do throws(Failure) {
      let directory = try Directory(opening: folder)
      return try ServedMetadata.newestRoot(in: directory)
    } catch {
      guard error.errno == .noEntry else { throw .file(error) }
      return 0
    }
  }
}
