internal import JSONReading
package import Platform

/// Why signed metadata is not trusted.
///
/// Whatever the case, what was trusted before is still there.
package indirect enum TrustError: Error, Equatable {
  /// A file of the metadata directory could not be read or written.
  case file(Failure)
  /// Another process works with the same metadata directory.
  case busy(path: String)
  case cancelled
  /// There is no root to begin with, neither a stored one nor a provisioned one.
  case noRoot
  /// The source failed; it knows why.
  case notFetched(file: String)
  /// The repository does not have a file that it must have.
  case missing(file: String)
  /// The file is not JSON, or not what its kind of metadata consists of.
  case malformed(file: String, MetadataFlaw)
  /// The metadata that names the file says another length or digest.
  case mismatched(file: String)
  /// Too few of the keys that `delegator` names have signed it.
  case unsigned(file: String, delegator: String, found: Int, threshold: Int)
  /// It is another version than the file that names it says, or than the step needs.
  case wrongVersion(file: String, expected: UInt64, found: UInt64)
  /// An older state than one that was trusted before.
  case rolledBack(file: String, trusted: UInt64, found: UInt64)
  /// A file that the trusted snapshot listed is gone from the new one.
  case dropped(file: String, from: String)
  /// It expired at that time, in seconds since 1970.
  case expired(file: String, at: Int64)
  /// There are more roots than one run walks up; `version` is the newest one that was reached, and is kept.
  case moreRoots(version: UInt64)
  /// The snapshot does not list it.
  case unlisted(file: String)
  /// It needs more memory than metadata may take.
  case overMemory(file: String)

  package var sentence: String {
    switch self {
    case .file(let error): error.cause
    case .busy(let path): "\(path) is in use by another process; try again when it has finished"
    case .cancelled: "cancelled"
    case .noRoot: "there is no trusted root.json"
    case .notFetched(let file): "\(file) could not be fetched"
    case .missing(let file): "the repository has no \(file)"
    case .malformed(let file, let flaw): "\(file) is malformed: \(flaw.sentence)"
    case .mismatched(let file): "\(file) is not the file that the signed metadata names"
    case .unsigned(let file, let delegator, let found, let threshold):
      "\(file) has valid signatures of \(found) of the \(threshold) keys that \(delegator) asks for"
    case .wrongVersion(let file, let expected, let found):
      "\(file) is version \(found) where \(expected) belongs"
    case .rolledBack(let file, let trusted, let found):
      "\(file) is at version \(found), older than version \(trusted) which was seen before"
    case .dropped(let file, let from): "\(from) no longer lists \(file)"
    case .expired(let file, let time): "\(file) expired at \(Clock.timestamp(time))"
    case .moreRoots(let version):
      "the repository has more new roots than the \(TrustLimits.rootRotations) that one run follows, and version \(version) "
        + "was reached; run the command again, it continues there"
    case .unlisted(let file): "the snapshot does not list \(file)"
    case .overMemory(let file):
      "\(file) takes more than the \(JSONLimits.document >> 10) KiB that a file may take in memory"
    }
  }
}

/// Runs `body` and gives its error the shape of this module.
func storing<Result: ~Copyable>(_ body: () throws(Failure) -> Result) throws(TrustError) -> Result {
  do throws(Failure) { return try body() } catch { throw .file(error) }
}
