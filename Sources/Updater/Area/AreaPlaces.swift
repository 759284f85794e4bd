internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform

/// The places of the device, and the packages around them.
struct AreaPlaces {
  private let radius: UInt64
  private let visits: [VisitRecord.Visit]
  private let route: Track?
  /// Of the last search.
  private var found: (radius: UInt64, ids: [PackageID])?

  /// Nothing if the configuration or the device says no place.
  init(_ configuration: Configuration) throws(Failure) {
    guard let radius = configuration.area.radius else {
      (self.radius, visits, route) = (0, [], nil)
      return
    }
    self.radius = radius
    visits = try VisitRecord(in: configuration.root).visits
    route = try RouteRecord(in: configuration.root)?.track
  }

  var isEmpty: Bool { visits.isEmpty && route == nil }

  /// The packages within `radius` metres of where the device is or is going, in the order of their ids.
  mutating func packages(
    within radius: UInt64? = nil, searching updater: borrowing Updater
  ) throws(Failure) -> [PackageID] {
    let radius = radius ?? self.radius
    if let found, found.radius == radius { return found.ids }
    var ids: [PackageID] = []
    if let place = visits.last?.place {
      ids = try AreaPlaces.packages(in: Corridor(around: place, metres: radius), updater)
    }
    if let route, let corridor = Corridor(along: route, metres: radius) {
      ids += try AreaPlaces.packages(in: corridor, updater)
    }
    ids.sort()
    var unique: [PackageID] = []
    for id in ids where id != unique.last { unique.append(id) }
    found = (radius, unique)
    return unique
  }

  /// The packages around the places that the device has left after `time`, with when that was.
  func left(
    since time: Int64, searching updater: borrowing Updater
  ) throws(Failure) -> [(ids: [PackageID], time: Int64)] {
    var left: [(ids: [PackageID], time: Int64)] = []
    for (visit, next) in zip(visits, visits.dropFirst()) where next.time > time {
      let corridor = Corridor(around: visit.place, metres: radius)
      left.append((try AreaPlaces.packages(in: corridor, updater), next.time))
    }
    return left
  }

  private static func packages(
    in corridor: Corridor, _ updater: borrowing Updater
  ) throws(Failure) -> [PackageID] {
    var sources = try updater.listingSources(in: corridor)
    return try sources.packages(in: corridor, limit: MapTreeLimits.near)
  }
}
