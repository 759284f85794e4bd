internal import Catalog
internal import Crypto
internal import DeltaCreate
internal import MapModel
internal import MapTree
internal import Platform
internal import Reporting

/// The components that a device at the previous release downloads, the largest first.
struct ChangedComponents {
  /// Components that come by patches which can be looked into.
  private(set) var patched: [ChangedComponent] = []
  /// Components that come in full, because no patch saves enough.
  private(set) var inFull: [ChangedComponent] = []
  /// How many components come by patches that `prune` has removed.
  private(set) var pruned = 0

  init() {}

  init(
    of catalog: CatalogIndex, after base: CatalogIndex, in repository: Repository
  ) throws(PublisherError) {
    let directory = try repository.open()
    for entry in catalog.entries {
      guard let old = base[entry.name], let payload = base.payload(for: entry) else { continue }
      let change = ChangedComponent(entry: entry, old: old, payload: payload)
      switch payload {
      case .patch, .chain:
        if try entry.serves(payload, by: directory) { patched.append(change) } else { pruned += 1 }
      case .packed, .whole: inFull.append(change)
      case .staged: break
      }
    }
    patched = ChangedComponents.largestFirst(patched)
    inFull = ChangedComponents.largestFirst(inFull)
  }

  /// Components of the same size stay in the order of the catalog, so that the report is always the same.
  private static func largestFirst(_ changes: [ChangedComponent]) -> [ChangedComponent] {
    changes.sorted {
      $0.size == $1.size ? $0.entry.name < $1.entry.name : $0.size > $1.size
    }
  }
}

/// A component that a device at the previous release downloads.
struct ChangedComponent: Sendable {
  let entry: CatalogEntry
  /// The same of the previous release.
  let old: CatalogEntry
  let payload: Payload
  /// The figures of the patch, if the release kept them.
  private var figures: Report.PatchFigures?

  init(entry: CatalogEntry, old: CatalogEntry, payload: Payload) {
    self.entry = entry
    self.old = old
    self.payload = payload
  }

  /// Reads the figures that the release kept of the patch.
  mutating func findFigures(in repository: borrowing Directory) {
    guard case .patch(let container, _) = payload else { return }
    figures = KeptFigures.read(of: container, in: repository)
  }

  /// Bytes of the download.
  var size: UInt64 { payload.download }

  var component: Report.Component {
    let name = entry.name
    return Report.Component(id: name.id.text, dataGroup: name.dataGroup.text, path: name.path, size: size)
  }

  /// The bytes of memory that looking into it takes, out of `limit`.
  func memoryNeeded(of limit: Int) -> Int {
    guard figures == nil, case .patch = payload else { return 0 }
    let search = SearchBudget.choose(
      old: Int(clamping: old.size), new: Int(clamping: entry.size), limit: limit)
    return max(search.memory, PatchContents.memoryNeeded)
  }

  /// Describes the patches to it.
  ///
  /// - `memory`: the bytes that looking into it may take.
  func explained(in repository: Repository, memory: Int) throws(PublisherError) -> Report.LargeUpdate {
    var patches = 1
    var figures = figures
    switch payload {
    case .staged, .packed, .whole: break
    case .chain(let chain, _): patches = chain.count
    case .patch(let container, _) where figures == nil:
      figures = Report.PatchFigures(
        try PatchContents(of: "\(repository.path)/\(container.url)"),
        notRebuilt: Report.NotRebuilt(try streams(in: repository, memory: memory)))
    case .patch: break
    }
    return Report.LargeUpdate(component, fullDownload: entry.fullDownload, patches: patches, patch: figures)
  }

  private func streams(in repository: Repository, memory: Int) throws(PublisherError) -> StreamFigures {
    let path = "\(repository.path)/\(entry.url)"
    let oldBytes = try ChangedComponent.map("\(repository.path)/\(old.url)")
    let newBytes = try ChangedComponent.map(path)
    do throws(DeltaCreateError) {
      return try StreamFigures(
        old: oldBytes.bytes, new: newBytes.bytes, memory: memory, directory: Environment.temporaryDirectory)
    } catch { throw .payload(.notMade(path: path, error)) }
  }

  private static func map(_ path: String) throws(PublisherError) -> MappedFile {
    try onFile { () throws(Failure) in try MappedFile(try File(opening: path)) }
  }
}
