package import MapModel
internal import Releases

/// Why a bundle cannot be made as it was asked for.
package enum BundleError: Error, Equatable {
  case unknownRelease(ReleaseName, served: [Release])
  /// A release that devices are to come from is not older than the one that they are to get.
  case notOlder(Release, than: Release)
  case unknownPackages([PackageID], release: Release)
  case unknownGroups([DataGroup], known: [DataGroup])
  case noReleases(path: String)
  /// There is something where the bundle is to be.
  case exists(path: String)
  /// A file of the repository is not the one that its catalog lists.
  case damaged(path: String)
  /// The archive could not be written.
  case archive(sentence: String)

  package var sentence: String {
    switch self {
    case .unknownRelease(let name, let served):
      """
      The repository has no release "\(name.text)". It has \(served.map { $0.text }.joined(separator: ", ")).
      """
    case .notOlder(let release, let target):
      "A device at \(release.text) is not updated to \(target.text). Name an older one with --from."
    case .unknownPackages(let ids, let release):
      "\(release.text) has no \(ids.map(\.text).joined(separator: ", ")). \"tinypublish inspect\" shows its catalog."
    case .unknownGroups(let groups, let known):
      """
      The maps have no data group \(groups.map(\.text).joined(separator: ", ")). They have \
      \(known.map(\.text).joined(separator: ", ")).
      """
    case .noReleases(let path): "\(path) has no release yet. Make one with \"tinypublish release\"."
    case .exists(let path): "\(path) exists and is not empty. Remove it, or choose another name."
    case .damaged(let path):
      "\(path) is not the file that the catalog lists. Run \"tinypublish verify --deep\"; no bundle was made."
    case .archive(let sentence): "\(sentence)."
    }
  }
}
