internal import Catalog
internal import Reporting

/// The places of packages, each of them once: most packages are where they were in the release before.
struct PlaceTable {
  private(set) var all: [Report.Place] = []
  private var indices: [Report.Place: Int] = [:]

  /// Nil if it says nothing.
  mutating func index(of geography: Geography) -> Int? {
    guard geography.bounds != nil || !geography.polygons.isEmpty else { return nil }
    let box = geography.bounds.map {
      Report.Box(south: $0.south.text, west: $0.west.text, north: $0.north.text, east: $0.east.text)
    }
    let place = Report.Place(bounds: box, polygons: geography.polygons)
    if let index = indices[place] { return index }
    indices[place] = all.count
    all.append(place)
    return all.count - 1
  }
}
