internal import Catalog
internal import Crypto
internal import MapModel
internal import Platform

/// The components of the previous release that components with other names have their content from.
struct RelatedContent: Sendable {
  /// The component that most of a new one is in.
  private var bases: [ComponentName: CatalogEntry] = [:]
  /// Packages that are gone, and the new packages with their data.
  private(set) var successors: [ProposedSuccessor] = []

  init() {}

  /// The component that most of the new one `name` is in, if there is one.
  subscript(name: ComponentName) -> CatalogEntry? { bases[name] }

  /// Compares new components with removed ones, and with others of their package.
  ///
  /// - `added`: components that nothing of the previous release leads to by their names.
  /// - `gone`: packages that nothing takes the place of.
  init(
    of added: [HashedComponent], gone: [PackageID], after previous: CatalogIndex, in repository: Repository,
    jobs: Int
  ) async throws(PublisherError) {
    guard !added.isEmpty else { return }
    let gone = Set(gone)
    let earlier = try EarlierComponents(previous, gone: gone, in: repository)
    let candidates = added.map { earlier.candidates(for: $0) }
    let files = RelatedContent.files(of: added, candidates, in: repository)
    let sketches = try await WorkerPool.run(files.sorted(), jobs: jobs) { (path) throws(PublisherError) in
      (path, try ContentSketch(of: path))
    }
    let known = Dictionary(sketches) { first, _ in first }
    var shares: [Pair: Double] = [:]
    for (component, candidates) in zip(added, candidates) {
      var best: (share: Double, entry: CatalogEntry)?
      for entry in candidates {
        let share = RelatedContent.share(of: component, in: entry, known, repository)
        if share >= RelatedContent.leastShare, share > best?.share ?? 0 { best = (share, entry) }
        guard gone.contains(entry.name.id), share >= RelatedContent.leastShare else { continue }
        let pair = Pair(old: entry.name.id, new: component.description.name.id)
        shares[pair] = max(shares[pair] ?? 0, share)
      }
      if let best, best.entry.digest != component.digest { bases[component.description.name] = best.entry }
    }
    successors = shares.keys.map { ProposedSuccessor(old: $0.old, new: $0.new) }.sorted()
  }

  private struct Pair: Hashable {
    let old: PackageID
    let new: PackageID
  }

  /// Below that, a patch would save little, and a package would be no successor.
  private static var leastShare: Double { 0.1 }

  /// The files to be compared: not those whose bytes are the same as others'.
  private static func files(
    of added: [HashedComponent], _ candidates: [[CatalogEntry]], in repository: Repository
  ) -> Set<String> {
    var files: Set<String> = []
    for (component, candidates) in zip(added, candidates) {
      let others = candidates.filter { $0.digest != component.digest }
      if others.isEmpty || component.input.tree != nil { continue }
      files.insert(component.input.file)
      files.formUnion(others.map { repository.file(of: $0) })
    }
    return files
  }

  private static func share(
    of component: HashedComponent, in entry: CatalogEntry, _ sketches: [String: ContentSketch],
    _ repository: Repository
  ) -> Double {
    if entry.digest == component.digest { return 1 }
    guard let new = sketches[component.input.file], let old = sketches[repository.file(of: entry)] else {
      return 0
    }
    return new.share(in: old)
  }
}

/// The components of the previous release that new ones may have their content from.
private struct EarlierComponents {
  /// The components of each kind, in the order of their sizes.
  private var groups: [Kind: [CatalogEntry]] = [:]
  /// The components of packages that are gone, by their bytes.
  private var lost: [Digest: CatalogEntry] = [:]

  /// Files with the same ending, of packages that are gone, or that lie beside one another.
  private struct Kind: Hashable {
    let region: PackageID?
    let isGone: Bool
    let ending: String
  }

  /// Only those whose files are still there.
  init(
    _ previous: CatalogIndex, gone: Set<PackageID>, in repository: Repository
  ) throws(PublisherError) {
    let workspace = try Workspace(repository)
    for entry in previous.entries where try workspace.size(of: entry.url) == entry.size {
      let isGone = gone.contains(entry.name.id)
      if isGone { lost[entry.digest] = lost[entry.digest] ?? entry }
      groups[EarlierComponents.kind(of: entry.name, isGone: isGone), default: []].append(entry)
    }
    for kind in groups.keys { groups[kind]?.sort { ($0.size, $0.name) < ($1.size, $1.name) } }
  }

  private static func kind(of name: ComponentName, isGone: Bool) -> Kind {
    Kind(
      region: isGone ? nil : name.id.parent, isGone: isGone, ending: DataFileName(name.file.lastPart).ending)
  }

  /// How many of each kind are compared with a new component, those of the most similar sizes.
  private static var most: (gone: Int, beside: Int) { (32, 8) }

  func candidates(for component: HashedComponent) -> [CatalogEntry] {
    if let same = lost[component.digest] { return [same] }
    let name = component.description.name
    return nearest(
      EarlierComponents.kind(of: name, isGone: true), to: component.size, EarlierComponents.most.gone)
      + nearest(
        EarlierComponents.kind(of: name, isGone: false), to: component.size, EarlierComponents.most.beside)
  }

  private func nearest(_ kind: Kind, to size: UInt64, _ count: Int) -> [CatalogEntry] {
    guard let group = groups[kind] else { return [] }
    let place = group.partitionPoint { $0.size < size }
    return Array(group[max(0, place - count / 2)..<min(group.count, place + count / 2)])
  }
}

extension Repository {
  fileprivate func file(of entry: CatalogEntry) -> String { "\(path)/\(entry.url)" }
}
