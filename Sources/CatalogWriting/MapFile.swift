package import Catalog
package import MapModel
internal import Platform

/// The document `map.xml` beside the data files of a package, or in a directory above packages (`docs/format/input.md`).
///
/// What it does not say is nil, and follows from its directory.
package struct MapFile: Equatable {
  package static var fileName: String { "map.xml" }

  package var id: PackageID?
  package var group: String?
  package var country: String?
  package var region: String?
  package var geography = Geography()
  /// Hidden where only the larger regions are shown.
  package var isDetail = false
  /// The packages of earlier releases whose place it takes.
  package var replaces: [PackageID] = []
  /// Packages of earlier releases, and the one that takes the place of each.
  package var replaced: [Replaced] = []
  /// The package has everything below its directory, as it lies there.
  package var isTree = false
  /// What every data group of the package needs.
  package var needs = Needs()
  /// What individual data groups need instead.
  package var exceptions: [Exception] = []

  /// A package of an earlier release, and one that takes its place.
  package struct Replaced: Equatable {
    package let id: PackageID
    package let by: PackageID
  }

  /// What a component needs on the device; nil where the document does not say.
  package struct Needs: Equatable {
    package var indexSize: UInt64?
    package var minimumReader: UInt64?

    package init() {}

    init(_ attributes: XMLAttributes) throws(CatalogError) {
      if attributes.optional("index-size") != nil { indexSize = try attributes.number("index-size") }
      if attributes.optional("minimum-reader") != nil {
        minimumReader = try attributes.number("minimum-reader")
      }
    }
  }

  /// What is said of one data group.
  package struct Exception: Equatable {
    package let dataGroup: DataGroup
    package let needs: Needs
    /// Patterns of the names of its files, in the language of fnmatch(3); without any, their names say so.
    package let files: [String]
  }

  /// The content of an empty document, or of no document.
  package init() {}

  /// Reads the document.
  package init<Source: ByteSource & ~Copyable>(_ source: consuming Source, path: String) throws(CatalogError)
  {
    var reader = try XMLReader(source, path: path)
    let root = try reader.root("map")
    if root.optional("id") != nil { id = try root.value("id") { PackageID($0) } }
    group = root.optional("group")
    country = root.optional("country")
    region = root.optional("region")
    isDetail = try root.claim("detail", yes: "yes", no: "no")
    for word in (root.optional("replaces") ?? "").parts(separatedBy: " ") where !word.isEmpty {
      guard let id = PackageID(word) else { throw root.refused(.invalid(attribute: "replaces")) }
      replaces.append(id)
    }
    isTree = try root.claim("package", yes: "tree", no: "files")
    needs = try Needs(root)
    while true {
      switch try reader.next() {
      case .start(let name, let list):
        let attributes = XMLAttributes(list, path: path, at: reader.position)
        if name == "replaced" {
          replaced.append(
            Replaced(
              id: try attributes.value("id") { PackageID($0) },
              by: try attributes.value("by") { PackageID($0) }))
        }
        if name == "data-group" {
          let group = try attributes.value("name") { DataGroup($0) }
          let files = (attributes.optional("files") ?? "").parts(separatedBy: " ").filter { !$0.isEmpty }
          exceptions.append(Exception(dataGroup: group, needs: try Needs(attributes), files: files))
        }
        if try !geography.take(name, attributes: attributes, from: &reader, detail: .full) {
          try reader.skipElement()
        }
        if name == "polygon" { try checkLastPolygon(attributes) }
      case .end: break
      case .finish: return
      }
    }
  }

  /// What the component of a data group needs.
  package func needs(of dataGroup: DataGroup) -> Needs {
    var needs = needs
    for exception in exceptions where exception.dataGroup == dataGroup {
      needs.indexSize = exception.needs.indexSize ?? needs.indexSize
      needs.minimumReader = exception.needs.minimumReader ?? needs.minimumReader
    }
    return needs
  }

  /// Refuses an invalid polygon: readers of catalogs take polygons as they are, so they must be valid from the start.
  ///
  /// A polygon is three or more pairs of a latitude and a longitude, stored with one space between them.
  private mutating func checkLastPolygon(_ attributes: XMLAttributes) throws(CatalogError) {
    guard let text = geography.polygons.popLast() else { return }
    let points = text.utf8.split { $0 <= UInt8(ascii: " ") }.map {
      String(decoding: Array($0), as: UTF8.self)
    }
    guard points.count >= 3, points.allSatisfy(MapFile.isPoint) else {
      throw attributes.refused(.invalid(attribute: "polygon"))
    }
    geography.polygons.append(points.joined(separator: " "))
  }

  private static func isPoint(_ text: String) -> Bool {
    let pair = text.parts(separatedBy: ",")
    guard pair.count == 2, let latitude = Degrees(pair[0]), Degrees(pair[1]) != nil else { return false }
    return (-900_000_000...900_000_000).contains(latitude.tenMillionths)
  }
}
