package import Releases

/// The progress of a verification.
package enum VerificationEvent: Sendable {
  /// A file of a release was compared with its catalog; `done` and `total` are bytes of the release's files.
  case read(String, of: ServedRelease, done: UInt64, total: UInt64)
  /// All files of a release were compared.
  case verified(Verification.Row)
}
