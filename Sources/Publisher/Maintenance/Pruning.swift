internal import Catalog
internal import Crypto
internal import Platform
package import Releases
internal import Trust

/// Removes from a repository what no device needs any more.
///
/// Catalogs stay as they are: they are signed, and devices know theirs by its digest. So either a release is removed as
/// a whole, or patches are removed that its catalog lists and no device requests.
///
/// 1. Releases are withdrawn from the metadata, if only a number of them is to be kept.
/// 2. Files are removed that no listed release needs. An interruption leaves some of them to the next run.
///
/// No release can be made at the same time: its files are not listed yet.
package struct Pruning: Equatable, Sendable {
  /// Releases that are no longer listed.
  package private(set) var withdrawn: [ServedRelease] = []
  /// The removed files: no release lists them, or no device requests them.
  package private(set) var files: [PrunedFile] = []
  /// Nil if the metadata stays as it was.
  package private(set) var outcome: ChangeOutcome?

  /// Whether anything is changed.
  package enum Mode: Equatable, Sendable {
    /// Nothing is changed; only the plan is returned.
    case dryRun
    case remove
  }

  /// Removes patches that no device downloads any more; changes no metadata, needs no key.
  package init(patchesOf repository: Repository, mode: Mode) throws(PublisherError) {
    let directory = try repository.open()
    let metadata = try RepositoryLock(.metadata, of: directory)
    let payloads = try RepositoryLock(.payloads, of: directory)
    let served = try ServedMetadata(of: repository)
    let pending = try PendingFiles(of: directory, after: served)
    let lists = [served.releases, try pending.releases()].compactMap { $0 }
    files = try Pruning.unneeded(in: ["payloads"], of: repository, directory: directory, lists: lists)
    if mode == .remove { try Pruning.remove(files, from: directory) }
    _ = consume payloads
    _ = consume metadata
  }

  /// Withdraws all but the newest `count` releases, and those that are still some device's newest; then removes
  /// everything that no remaining catalog lists, and patches as above.
  package init(
    keeping count: Int, in session: inout MetadataSession, mode: Mode
  ) throws(PublisherError) {
    let payloads = try RepositoryLock(.payloads, of: session.directory)
    let releases = try session.releases()
    let kept = Pruning.kept(count, of: releases, served: session.served.releases)
    withdrawn = releases.filter { !kept.contains($0) }
    if !withdrawn.isEmpty && mode == .remove {
      try session.unlock([.targets, .snapshot, .timestamp])
      outcome = try session.publish(kept)
    }
    // While the change waits for signatures, devices have the old list.
    let lists =
      mode == .dryRun ? [kept] : [session.served.releases, try session.pending.releases()].compactMap { $0 }
    files = try Pruning.unneeded(
      in: ["catalogs", "components", "payloads"], of: session.repository, directory: session.directory,
      lists: lists)
    if mode == .remove { try Pruning.remove(files, from: session.directory) }
    _ = consume payloads
  }

  // MARK: - Needed files

  /// The releases that are the newest one for some device.
  ///
  /// A newer one for all devices that is in effect and requires no newer application supersedes a release. A recalled one
  /// stays until then, for devices that have it.
  static func live(_ releases: [ServedRelease], now: Int64 = Clock.now) -> [ServedRelease] {
    releases.filter { release in
      !releases.contains {
        $0.number > release.number && $0.isForAll(at: now)
          && $0.minimumApplication <= release.minimumApplication
      }
    }
  }

  static func kept(
    _ count: Int, of releases: [ServedRelease], served: [ServedRelease]
  ) -> [ServedRelease] {
    let live = Pruning.live(releases) + Pruning.live(served)
    let newest = releases.filter { $0.recall == nil }.suffix(count)
    return releases.filter { newest.contains($0) || live.contains($0) }
  }

  /// The files in `folders` that no release of the lists needs, and the payloads that were made for the next one.
  private static func unneeded(
    in folders: [String], of repository: Repository, directory: borrowing Directory,
    lists: [[ServedRelease]]
  ) throws(PublisherError) -> [PrunedFile] {
    var needed: Set<String> = []
    // Nobody goes to a recalled one.
    let live = lists.flatMap { Pruning.live($0).flatMap(\.catalogs) }.filter { $0.recall == nil }
    var seen: [ServedRelease] = []
    for release in lists.joined().flatMap(\.catalogs) where !seen.contains(release) {
      seen.append(release)
      needed.insert(release.catalogURL)
      let catalog = try repository.catalog(of: release)
      for part in catalog.parts { needed.insert(part.url) }
      for entry in catalog.entries {
        needed.insert(entry.url)
        if let packed = entry.packed { needed.insert(packed.url) }
        guard live.contains(release) else { continue }
        for patch in entry.patches { needed.insert(patch.container.url) }
      }
    }
    var files: [PrunedFile] = []
    for folder in folders {
      var names: [String] = []
      try onFile { () throws(Failure) in
        try directory.openDirectory(folder).forEachName { (name) throws(Failure) in names.append(name) }
      }
      for name in names.sorted() where isOurs(name) && !needed.contains("\(folder)/\(name)") {
        guard let size = try directory.fileSize(of: "\(folder)/\(name)") else { continue }
        files.append(PrunedFile(name: "\(folder)/\(name)", size: size))
      }
    }
    let cached = try onFile { () throws(Failure) in try PayloadCache.payloads(in: directory) }
    return files + cached.map { PrunedFile(name: $0.name, size: $0.size) }
  }

  /// Whether the name begins with a digest; other files are not ours.
  private static func isOurs(_ name: String) -> Bool {
    Digest(hex: name.parts(separatedBy: ".", limit: 2)[0]) != nil
  }

  // MARK: - Removing

  private static func remove(_ files: [PrunedFile], from directory: borrowing Directory)
    throws(PublisherError)
  {
    try onFile { () throws(Failure) in
      for file in files { try directory.remove(file.name) }
      for folder in Set(files.map(\.folder)) { try directory.openDirectory(folder).synchronize() }
      try KeptFigures.clean(directory)
    }
  }
}
