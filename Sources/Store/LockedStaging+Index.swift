package import Crypto
package import Platform

extension LockedStaging {
  /// What the index command is given: the file to read, and where to write.
  package func indexPaths(_ digest: Digest) -> (component: String, output: String) {
    ("\(reading.directory.path)/\(digest.hex)", "\(reading.directory.path)/\(Staging.indexPart(digest))")
  }

  /// Opens the file for messages of the index command.
  package func openIndexLog(_ digest: Digest) throws(Failure) -> File {
    try reading.directory.open(Staging.indexLog(digest), to: .append)
  }

  /// Flushes the output of the index command and keeps it; its size, or nil if there is none.
  package func keepIndex(_ digest: Digest) throws(Failure) -> UInt64? {
    let part = Staging.indexPart(digest)
    guard let status = try reading.directory.status(of: part) else { return nil }
    guard status.kind == .file else { throw Failure(.invalid, path: "\(reading.directory.path)/\(part)") }
    let file = try reading.directory.open(part)
    try file.synchronize()
    file.dropCache()
    try reading.directory.rename(part, to: Staging.index(digest))
    return status.size
  }

  /// Removes everything that the index command has left except a complete index.
  package func removePartialIndexes(_ digest: Digest) throws(Failure) {
    let prefix = Staging.index(digest) + "."
    try reading.directory.removeTrees { $0.utf8.starts(with: prefix.utf8) }
  }
}
