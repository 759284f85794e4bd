/// The figures of all releases of a repository: their contents, and the downloads of devices.
///
/// The pages are made from it, and `report.json` is this value (`docs/schema/tinypublish-report.schema.json`). The same
/// repository gives the same one. Sizes are in bytes.
package struct Report: Codable, Equatable, Sendable {
  /// The version of this format.
  package private(set) var format = 1
  /// The name of the repository: that of its directory.
  package let name: String
  /// The newest first.
  package let releases: [Release]
  /// Where packages are: a package has the index of its place.
  package let places: [Place]

  package init(_ name: String, releases: [Release], places: [Place]) {
    self.name = name
    self.releases = releases
    self.places = places
  }

  /// The releases that have a page, the newest first.
  var pages: [Release] { releases.filter { $0.details != nil } }

  /// Where a package is; nil if it does not say.
  func place(of package: Package) -> Place? {
    guard let index = package.place, places.indices.contains(index) else { return nil }
    return places[index]
  }

  /// Where a package is, as its catalog has it.
  package struct Place: Codable, Hashable, Sendable {
    package let bounds: Box?
    /// Rings, each as its text of `latitude,longitude` pairs.
    package let polygons: [String]

    package init(bounds: Box?, polygons: [String]) {
      self.bounds = bounds
      self.polygons = polygons
    }
  }

  /// In degrees, as text: a number may lose its last digit in a reader.
  package struct Box: Codable, Hashable, Sendable {
    package let south: String
    package let west: String
    package let north: String
    package let east: String

    package init(south: String, west: String, north: String, east: String) {
      (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }
  }
}
