internal import Platform
internal import Trust

/// Reads the signed files of one directory.
struct SignedFileReader {
  private let folder: String
  let root: Root
  let rootFile: SignedFile
  private let previous: Root?

  init(_ metadata: borrowing Directory, root version: UInt64) throws(TrustError) {
    folder = metadata.path
    let path = "\(metadata.path)/\(version).root.json"
    let bytes = try SignedFileReader.bytes(path, upTo: TrustLimits.root)
    root = try TrustClient.root(bytes, file: path)
    rootFile = try SignedFile(parsing: bytes, file: path)
    guard root.head.version == version else {
      throw .wrongVersion(file: path, expected: version, found: root.head.version)
    }
    guard version > 1 else {
      previous = nil
      return
    }
    let old = "\(metadata.path)/\(version - 1).root.json"
    previous = try TrustClient.root(try SignedFileReader.bytes(old, upTo: TrustLimits.root), file: old)
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Reads a file that is listed by another one, or the timestamp, which is not listed.
  func file(_ role: Root.TopLevel, listed: MetaFile?, upTo limit: UInt64) throws(TrustError) -> SignedFile {
    let path = path(SignedFile.name(role, version: listed?.version ?? 0))
    let bytes = try SignedFileReader.bytes(path, upTo: limit)
    if let listed, !listed.matches(bytes) { throw .mismatched(file: path) }
    let file = try SignedFile(parsing: bytes, file: path)
    guard file.role == role else { throw .malformed(file: path, .wrongType(expected: role.name)) }
    if let listed, listed.version != file.version {
      throw .wrongVersion(file: path, expected: listed.version, found: file.version)
    }
    let envelope = try Envelope(bytes, file: path)
    if let previous {
      do throws(TrustError) { try envelope.verify(by: previous.authority(role)) } catch {
        try envelope.verify(by: root.authority(role))
      }
    } else {
      try envelope.verify(by: root.authority(role))
    }
    return file
  }

  static func bytes(_ path: String, upTo limit: UInt64) throws(TrustError) -> [UInt8] {
    do throws(Failure) { return try File(opening: path).bytes(upTo: limit) } catch {
      throw error.errno == .noEntry ? .missing(file: path) : .file(error)
    }
  }
}
