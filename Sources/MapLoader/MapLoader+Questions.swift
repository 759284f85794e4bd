internal import MapService

extension MapLoader {
  /// All regions and packages, with their states, sizes and actions.
  ///
  /// Opens no connection if a release was ever seen.
  public func tree(_ view: MapTree.View = .fine) async throws(MapError) -> MapTree {
    var parameters = Parameters()
    if view == .composite { parameters.add(flag: "composite") }
    return try await ask(.list, parameters) { events, result in
      MapTree(events.filter { $0.name == "region" || $0.name == "package" }, result)
    }
  }

  /// The smallest package at a place; nil if there is none.
  public func package(at place: Coordinate) async throws(MapError) -> MapNode? {
    try await ask(.getPackageAt, try parameters(of: place)) { events, _ in
      events.last { $0.name == "package" }.map { MapNode($0) }
    }
  }

  /// All packages within a distance of a place, in metres, 5,000,000 at most.
  public func packages(near place: Coordinate, within metres: Int) async throws(MapError) -> [MapNode] {
    var parameters = try parameters(of: place)
    parameters.add("radius", number: "\(metres)")
    return try await ask(.getPackagesNear, parameters) { events, _ in
      events.filter { $0.name == "package" }.map { MapNode($0) }
    }
  }

  /// The polygons of packages, and of all packages in regions, by their ids; one without a polygon is left out.
  ///
  /// Of such, `MapNode.bounds` may say where it is.
  public func polygons(of ids: [String]) async throws(MapError) -> [String: GeoPolygon] {
    try await ask(.getPolygons, Parameters("ids", ids)) { events, _ in
      var polygons: [String: GeoPolygon] = [:]
      for event in events where event.name == "polygon" {
        polygons[event.text("id"), default: GeoPolygon()].add(
          event.numbers("corners"), toRing: event.count("ring"))
      }
      return polygons
    }
  }

  /// A place as calls have it.
  func parameters(of place: Coordinate) throws(MapError) -> Parameters {
    guard let latitude = MapPlace.text(place.latitude), let longitude = MapPlace.text(place.longitude) else {
      throw MapError(
        .invalidParameters, "\(place.latitude), \(place.longitude) are not the degrees of a place")
    }
    var parameters = Parameters()
    parameters.add("latitude", number: latitude)
    parameters.add("longitude", number: longitude)
    return parameters
  }

  /// What is installed, and which operations run and wait.
  public func status() async throws(MapError) -> MapStatus {
    try await one(.getStatus, "status") { MapStatus($0) }
  }

  /// Asks the repository for a newer release.
  public func checkForUpdate() async throws(MapError) -> UpdateCheck {
    try await one(.check, "check") { UpdateCheck($0) }
  }

  /// What an update would download and need; nil if there is nothing to do.
  public func planUpdate() async throws(MapError) -> UpdatePlan? {
    try await ask(.plan) { events, _ in events.last { $0.name == "plan" }.map { UpdatePlan($0) } }
  }

  /// The data groups, and which are selected.
  public func dataGroups() async throws(MapError) -> [DataGroup] {
    try await ask(.getGroups) { events, _ in events.filter { $0.name == "group" }.map { DataGroup($0) } }
  }

  /// Asks for what one event says.
  private func one<Answer: Sendable>(
    _ method: MapMethod, _ name: String, _ read: @escaping @Sendable (EventContent) -> Answer
  ) async throws(MapError) -> Answer {
    let answer = try await ask(method) { events, _ in events.last { $0.name == name }.map(read) }
    guard let answer else { throw MapError(.storageFailed, "the answer has no event \"\(name)\"") }
    return answer
  }

  /// Asks, and reads the answer when it is complete.
  func ask<Answer: Sendable>(
    _ method: MapMethod, _ parameters: Parameters = Parameters(),
    whenCancelled cancellation: Request<Answer>.Cancellation = .leaves,
    _ read: @escaping @Sendable (_ events: [EventContent], _ result: EventContent) -> Answer
  ) async throws(MapError) -> Answer {
    let request = Request(engine, cancellation, read)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in request.begin(method, parameters, continuation) }
    } onCancel: {
      request.cancel()
    }
    return try result.get()
  }
}
