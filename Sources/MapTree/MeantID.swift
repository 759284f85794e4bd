internal import Catalog
package import MapModel
package import Platform
internal import Store

/// The package or region that was probably meant by an id that does not exist.
struct MeantID {
  private var spelling: Spelling
  /// It is one part: it may have been meant as the last one of a longer id.
  private let isLastPart: Bool
  private var last: PackageID?

  init(_ id: PackageID) {
    spelling = Spelling(id.text)
    isLastPart = id.parent == nil
  }

  /// Nil if none is close, or several are equally.
  var closest: String? { spelling.closest }

  /// Compares a package, and the regions above it.
  mutating func consider(_ candidate: PackageID) {
    if candidate == last { return }
    last = candidate
    let bytes = Array(candidate.text.utf8)
    var start = 0
    for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
      let id = Array(bytes[..<end])
      spelling.consider(isLastPart ? Array(bytes[start..<end]) : id, as: id)
      start = end + 1
    }
  }

  /// Compares all of a catalog, as far as its parts are on this device.
  mutating func consider(_ catalog: CatalogCursor) throws(Failure) {
    while true {
      if let part = catalog.part {
        consider(part.first)
        consider(part.last)
        if try catalog.enter(byOutline: true) { continue }
      } else if let entry = catalog.entry {
        consider(entry.name.id)
      } else {
        return
      }
      try catalog.advance()
    }
  }
}

extension Failure {
  /// No package or region has one of `ids`; says what may have been meant by the first, by the catalogs in the store at
  /// `root`.
  package static func unknown(_ ids: [PackageID], in root: String) -> Failure {
    var meant: String?
    do throws(Failure) {
      if let id = ids.first, var sources = try ListingSources.open(root) {
        var search = MeantID(id)
        let parts = sources.parts
        try search.consider(CatalogCursor.open(sources.openBasis(.sizes), parts: parts))
        try search.consider(CatalogCursor.open(sources.openNewest(.sizes), parts: parts))
        meant = search.closest
      }
    } catch {}  // It is only a hint.
    return .unknownPackages(ids.map { $0.text }, meant: meant)
  }

  /// None of what is installed has one of `ids`; says what may have been meant by the first.
  package static func missing(_ ids: [PackageID], in root: String) -> Failure {
    var meant: String?
    do throws(Failure) {
      if let id = ids.first, var components = try Store(opening: root).current().components() {
        var search = MeantID(id)
        while let component = try components.next() { search.consider(component.name.id) }
        meant = search.closest
      }
    } catch {}  // It is only a hint.
    return .notInstalled(ids.map { $0.text }, meant: meant)
  }
}
