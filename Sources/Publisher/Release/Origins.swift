internal import Catalog
internal import MapModel

/// Finds the components of older releases that patches start from.
struct Origins: Sendable {
  private let replaced: ReplacedPackages
  /// Origins that were found by content.
  var related = RelatedContent()

  init(_ replaced: ReplacedPackages = ReplacedPackages()) { self.replaced = replaced }

  /// The components of `release` that `component` may be made from: that of its name, those of the packages that its own
  /// takes the place of, and otherwise the package that has most of its content.
  func bases(of component: HashedComponent, in release: CatalogIndex) -> [CatalogEntry] {
    let name = component.description.name
    let bases = named(name, in: release)
    guard bases.isEmpty, let base = related[name], release.component(with: base.digest) != nil else {
      return bases
    }
    return [base]
  }

  /// The same without what only its content leads to.
  func named(_ name: ComponentName, in release: CatalogIndex) -> [CatalogEntry] {
    let former = replaced.replaced(by: name.id).filter(release.hasPackage).prefix(Origins.most)
    let found = [release.predecessor(of: name)] + former.map { release.predecessor(of: name, in: $0) }
    return found.compactMap { $0 }
  }

  /// Packages that one replaces and that patches are made from.
  private static var most: Int { 8 }
}
