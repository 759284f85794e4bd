package import Trust

/// What is wrong with signatures, or with a file that carries them.
package enum SignatureError: Error, Equatable {
  /// Too few keys of a role are here, and its file cannot be signed later.
  case tooFewKeys(role: String, found: Int, threshold: Int, path: String)
  case nothingPending(path: String)
  /// A file that is not among those that wait for signatures.
  case notPending(path: String)
  /// A file of the right name with other content.
  case contentDiffers(path: String)
  /// A file to inspect, or to take signatures from, is not metadata.
  case notMetadata(TrustError)

  /// What happened, to which file, and what to do next.
  package var sentence: String {
    switch self {
    case .tooFewKeys(let role, let found, let threshold, let path):
      """
      \(path) has \(found) of the \(threshold) \(role) keys that must sign. Bring the others here, or name their \
      directory with --keys. If one is lost, "tinypublish key rotate REPO \(role)" puts a new one in its place.
      """
    case .nothingPending(let path):
      "Nothing in \(path) is waiting for signatures. \"tinypublish verify \(path)\" shows what devices see."
    case .notPending(let path):
      """
      \(path) is not a file that is waiting for signatures. Export the pending files again and have those signed.
      """
    case .contentDiffers(let path):
      """
      \(path) differs from the file that is waiting for signatures. Nothing was taken from it; export that file again \
      and have it signed.
      """
    case .notMetadata(let error):
      "\(error.sentence). Restore the file from a copy, or export it again with \"tinypublish sign export\"."
    }
  }
}
