package import Catalog
package import Platform
package import Trust

/// What is wrong with a repository, or keeps it from being changed now.
package enum RepositoryError: Error, Equatable {
  case notARepository(path: String)
  case noReleases(path: String)
  /// A directory with files in it was to become a repository.
  case notEmpty(path: String)
  /// Another process is publishing.
  case busy(path: String)
  /// Releases were added or withdrawn while a release was being made.
  case releasesChanged(path: String)
  case tooManyReleases(path: String)
  case noSpace(path: String, needed: UInt64, available: UInt64)
  /// A catalog is damaged.
  case catalog(CatalogError)
  /// A catalog lists payloads of a format that this program does not know.
  case newerFormat(path: String)
  /// The catalog that was written does not read back as intended.
  case catalogNotReadBack(path: String)
  /// Devices see the change, but that may not survive a power loss.
  case notDurable(Failure)
  /// A metadata file is damaged, or is not signed as required.
  case metadata(TrustError)
  /// A file whose content does not have the digest in its name.
  case wrongDigest(path: String)

  /// What happened, to which file, and what to do next.
  package var sentence: String {
    switch self {
    case .notARepository(let path):
      """
      \(path) is not a repository: it has no \(ServedMetadata.timestampPath). Make one with \
      "tinypublish init \(path)".
      """
    case .noReleases(let path): "\(path) has no release yet. Make one with \"tinypublish release\"."
    case .notEmpty(let path):
      "\(path) is not empty and not a repository. Choose a new or an empty directory."
    case .busy(let path):
      "Another process is publishing to \(path), or makes payloads for it. Wait until it has finished."
    case .releasesChanged(let path):
      """
      The releases of \(path) were changed by another process. Nothing was published; repeat the command, which \
      resumes where it stopped.
      """
    case .tooManyReleases(let path):
      """
      \(path) has \(PublisherLimits.releases) releases, the maximum. Withdraw old ones with \
      "tinypublish prune \(path) --keep 100".
      """
    case .noSpace(let path, let needed, let available):
      """
      \(path) has \(ByteCount(available).text) of free space, and the release needs about \
      \(ByteCount(needed).text). Nothing was written; make room and repeat the command.
      """
    case .catalog(let error): RepositoryError.damaged(error.sentence)
    case .newerFormat(let path):
      "\(path) lists payloads of a newer format. Use the version of tinypublish that made it, or a later one."
    case .catalogNotReadBack(let path):
      "\(path) does not read back as it was written. Nothing was published; check the disk, then report this."
    case .notDurable(let error):
      """
      The change is published, but a power loss now may bring the old state back: \(error.cause). Check the disk, \
      then run "tinypublish verify".
      """
    case .metadata(let error): RepositoryError.damaged(error.sentence)
    case .wrongDigest(let path):
      """
      \(path) does not match the digest in its name. The repository is damaged; restore this file from a copy.
      """
    }
  }

  private static func damaged(_ sentence: String) -> String {
    "\(sentence). The repository is damaged; restore this file from a copy of the repository."
  }
}
