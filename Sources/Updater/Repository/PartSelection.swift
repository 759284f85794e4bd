internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// What has to be known of a catalog beyond the catalog itself: which of its parts are read.
enum CatalogNeed: Equatable {
  /// What lists the installed packages.
  case installed
  /// The same, and what an operation or a question is about: packages, and all packages of regions.
  case packages([PackageID])
  /// The same, and what may have a package in a corridor.
  case corridor(Corridor)
  /// All that a bundle has of it.
  case bundled

  /// The packages that it is about, besides those that are installed.
  var ids: [PackageID] {
    if case .packages(let ids) = self { ids } else { [] }
  }

  /// What takes the place of packages is needed too.
  var followsSuccessions: Bool {
    switch self {
    case .installed, .packages: true
    case .corridor, .bundled: false
    }
  }

  /// The same, and what takes the place of those packages, if that is needed.
  func following(_ successions: Successions) -> CatalogNeed {
    let successors = successions.successors
    return successors.isEmpty || !followsSuccessions ? self : .packages(ids + successors)
  }

  /// What an operation looks for.
  init(_ operation: Operation) {
    if case .install(let ids, _, _) = operation { self = .packages(ids) } else { self = .installed }
  }
}

/// Says of the parts of a catalog, in their order, which ones are needed.
struct PartSelection: ~Copyable {
  private let manifest: ManifestCursor
  private let need: CatalogNeed
  private let repository: Repository

  init(_ need: CatalogNeed, in root: String, repository: Repository) throws(Failure) {
    self.need = need
    self.repository = repository
    manifest = try ManifestCursor.open(PartSelection.manifest(root))
  }

  /// Nil if nothing is installed, or if what is installed is not known: then the operation says so.
  static func manifest(_ root: String) throws(Failure) -> ManifestReader? {
    do throws(Failure) {
      return try Store(opening: root).current().components()
    } catch {
      switch error {
      case .noStore, .file, .badManifest: return nil
      default: throw error
      }
    }
  }

  mutating func selects(_ part: CatalogPart) throws(Failure) -> Bool {
    try manifest.skip(to: part.first)
    if let installed = manifest.component, installed.name.id <= part.last { return true }
    return switch need {
    case .installed: false
    case .packages(let ids): part.mayList(ids)
    case .corridor(let corridor): part.bounds.map { corridor.mayMeet($0) } ?? false
    case .bundled: try repository.has(part.url)
    }
  }
}
