internal import Platform
internal import Releases
internal import Trust

/// When releases were published: when the first list that has them was signed.
///
/// Every list stays in `metadata`, and the numbers of releases only grow, so that a few lists are read for each release.
/// Old lists are not verified: what they say is shown to people and decides nothing.
struct PublicationDates {
  /// The numbers of releases, and seconds since 1970; a release is missing if its list is, or does not say it.
  private(set) var dates: [UInt64: Int64] = [:]
  private var lists: [UInt64: List?] = [:]

  /// What one version of the targets says.
  private struct List {
    let issued: Int64?
    /// The highest number of a release; 0 without releases.
    let newest: UInt64
  }

  init(of served: ServedMetadata, in repository: borrowing Directory) {
    let last = served.targets.version
    lists[last] = List(issued: served.targets.issued, newest: served.releases.last?.number ?? 0)
    var first: UInt64 = 1
    for release in served.releases {
      first = version(with: release.number, in: first...last, of: repository)
      // The list before may be missing, and may have had it, too.
      let isFirst = first == 1 || list(first - 1, of: repository).map { $0.newest < release.number } ?? false
      if isFirst { dates[release.number] = list(first, of: repository)?.issued }
    }
  }

  /// The first of those versions that has a release, the last of which has it; versions that are missing do not.
  private mutating func version(
    with release: UInt64, in versions: ClosedRange<UInt64>, of repository: borrowing Directory
  ) -> UInt64 {
    var (first, last) = (versions.lowerBound, versions.upperBound)
    while first < last {
      let middle = first + (last - first) / 2
      if let list = list(middle, of: repository), list.newest >= release {
        last = middle
      } else {
        first = middle + 1
      }
    }
    return first
  }

  /// Nil if it is missing or damaged.
  private mutating func list(_ version: UInt64, of repository: borrowing Directory) -> List? {
    if let known = lists[version] { return known }
    guard lists.count < PublisherLimits.datedLists else { return nil }
    let list = PublicationDates.read(version, of: repository)
    lists[version] = .some(list)
    return list
  }

  private static func read(_ version: UInt64, of repository: borrowing Directory) -> List? {
    let name = "\(ServedMetadata.folder)/\(SignedFile.name(.targets, version: version))"
    let bytes: [UInt8]
    do throws(Failure) {
      guard try repository.status(of: name)?.kind == .file else { return nil }
      bytes = try repository.open(name).bytes(upTo: TrustLimits.fileInMemory)
    } catch { return nil }
    do throws(TrustError) {
      let file = try SignedFile(parsing: bytes, file: name)
      guard file.role == .targets, file.version == version else { return nil }
      let releases = try ServedMetadata.releases(in: file, file: name)
      return List(issued: file.issued, newest: releases.last?.number ?? 0)
    } catch { return nil }
  }
}
