internal import Catalog
internal import MapModel

extension InputScanner.Found {
  /// What a release consists of that the repository still has, as an input.
  ///
  /// - `newest`: the release that devices come from: where a package has taken the place of another since then, that is
  ///   undone.
  init(
    repeating release: CatalogIndex, after newest: CatalogIndex, in repository: Repository
  ) {
    let components = release.entries.map { entry in
      let path = "\(repository.path)/\(entry.url)"
      return InputComponent(path: path, file: path, kind: .released(entry), description: entry.description)
    }
    var replaced = Dictionary(grouping: release.replaced, by: \.successor).mapValues { $0.map(\.id) }
    for later in newest.replaced where release.hasPackage(later.id) && !release.hasPackage(later.successor) {
      replaced[later.id, default: []].append(later.successor)
    }
    self.init(
      components: components, regions: release.regions, replaced: replaced, ignored: [], warnings: [])
  }
}
