internal import Catalog
internal import Crypto
internal import MapModel
internal import MapTree
internal import Platform
package import Releases
internal import Trust

/// The files of a bundle, in its order (`docs/format/bundle.md`).
package struct BundleContents: Sendable {
  package let release: ServedRelease
  /// The releases that it updates from; empty if it is for devices that have nothing yet.
  package private(set) var from: [ServedRelease] = []
  /// When the first of its signatures expires, in seconds since 1970.
  package let expires: Int64
  package private(set) var packages = 0
  package private(set) var files: [BundleFile] = []

  /// Bytes of all files.
  package var size: UInt64 { files.reduce(0) { $0 + $1.size } }

  /// Chooses the files; nothing but metadata is read of them yet.
  package init(of repository: Repository, for request: BundleRequest) throws(PublisherError) {
    let (served, metadata) = try ServedMetadata.withFiles(of: repository)
    guard let newest = served.releases.last(where: { $0.recall == nil }) else {
      throw .bundle(.noReleases(path: repository.path))
    }
    release = try request.release.map { (name) throws(PublisherError) in try served.release(name) } ?? newest
    if release.recall != nil { throw .label(.recalled(release.label, path: repository.path)) }
    expires = Root.TopLevel.allCases.map { served[$0].expires }.min() ?? 0
    for name in request.from {
      let older = try served.release(name)
      guard older.number < release.number else {
        throw .bundle(.notOlder(older.release, than: release.release))
      }
      if !from.contains(older) { from.append(older) }
    }
    files = metadata
    files.append(
      BundleFile(name: release.catalogURL, size: release.catalog.size, digest: release.catalog.digest))
    try addPayloads(request, of: repository)
  }

  // MARK: - Payloads

  /// The payloads that a device with the usual memory chooses, for each component that it can have.
  private mutating func addPayloads(
    _ request: BundleRequest, of repository: Repository
  ) throws(PublisherError) {
    let catalog = try repository.catalog(of: release)
    let successors = catalog.replaced.filter { request.packages.includes($0.id) }.map(\.successor)
    let wanted = request.packages + successors
    for part in catalog.parts where request.packages.isEmpty || part.mayList(wanted) {
      files.append(BundleFile(name: part.url, size: part.file.size, digest: part.file.digest))
    }
    let directory = try repository.open()
    var bases: [CatalogIndex] = []
    for older in from { bases.append(try repository.catalog(of: older)) }
    var ids = MatchedIDs(request.packages)
    for replaced in catalog.replaced where request.packages.includes(replaced.id) { ids.note(replaced.id) }
    let former = Dictionary(grouping: catalog.replaced, by: \.successor)
    var groups: [DataGroup] = []
    var last: PackageID?
    for entry in catalog.entries {
      if !groups.contains(entry.name.dataGroup) { groups.append(entry.name.dataGroup) }
      guard request.packages.isEmpty || wanted.includes(entry.name.id) else { continue }
      ids.note(entry.name.id)
      let isWanted = request.groups.isEmpty || request.groups.contains(entry.name.dataGroup)
      guard isWanted || entry.name.dataGroup == .essential else { continue }
      if entry.name.id != last { packages += 1 }
      last = entry.name.id
      let older = (former[entry.name.id] ?? []).map(\.id)
      add(payloads(of: try entry.served(by: directory), bases: bases, under: [entry.name.id] + older))
    }
    guard ids.unmatched.isEmpty else {
      throw .bundle(.unknownPackages(ids.unmatched, release: release.release))
    }
    let unknown = request.groups.filter { !groups.contains($0) }
    guard unknown.isEmpty else { throw .bundle(.unknownGroups(unknown, known: groups.sorted())) }
  }

  private mutating func add(_ payloads: [BundleFile]) {
    for file in payloads where !names.contains(file.name) {
      names.insert(file.name)
      files.append(file)
    }
  }

  /// Components with the same content have the same payload.
  private var names: Set<String> = []

  /// - `ids`: its package, and those whose place that has taken.
  private func payloads(of entry: CatalogEntry, bases: [CatalogIndex], under ids: [PackageID]) -> [BundleFile]
  {
    guard !bases.isEmpty else { return BundleContents.files(of: entry, by: entry.payload(from: nil)) }
    var files: [BundleFile] = []
    for base in bases {
      // A device has all groups of a package or, if it deselected some, fewer.
      guard ids.contains(where: base.hasPackage) else { continue }
      if let payload = base.payload(for: entry) { files += BundleContents.files(of: entry, by: payload) }
    }
    return files
  }

  private static func files(of entry: CatalogEntry, by payload: Payload) -> [BundleFile] {
    switch payload {
    case .staged: return []
    case .whole(let url, let size): return [BundleFile(name: url, size: size, digest: entry.digest)]
    case .packed(let container), .patch(let container, _):
      return [BundleFile(name: container.url, size: container.size)]
    case .chain(let patches, _):
      return patches.map { BundleFile(name: $0.container.url, size: $0.container.size) }
    }
  }
}

extension ServedMetadata {
  /// The release that a person names.
  fileprivate func release(_ name: ReleaseName) throws(PublisherError) -> ServedRelease {
    guard let found = releases.last(where: { name.names($0.release) }) else {
      throw .bundle(.unknownRelease(name, served: releases.map(\.release)))
    }
    return found
  }
}
