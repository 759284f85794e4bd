internal import Catalog
internal import MapTree
internal import Platform
internal import Updater

/// `position`: notes where the device is and where it is going, for the packages that are to be there.
struct PositionCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "position", operands: .place, options: [.route],
      summary: "note where the device is; updates then bring the maps around it (area_radius)")
  }

  private let place: Point?
  private let route: Route?

  private enum Route { case ended, file(String) }

  init(_ invocation: Invocation) throws(UsageError) {
    place = invocation.operands.isEmpty ? nil : try invocation.takePoint()
    route = invocation.value(of: .route).map { $0 == "none" ? .ended : .file($0) }
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let (root, area) = (session.configuration.root, session.configuration.area)
    guard let radius = area.radius else {
      throw .configuration(
        sentence: "area_radius is not set: no maps are to be around a place; set it first, such as to 50K")
    }
    var isNoted = false
    if let place {
      isNoted = try VisitRecord.note(place, radius: radius, at: Clock.now, in: root)
    }
    if let route, try RouteRecord.replace(with: track(of: route, radius: radius), in: root) { isNoted = true }
    if place == nil && route == nil {
      let visit = VisitRecord(shown: root).visits.last
      session.console.say(
        visit.map { "\($0.place.words) since \(Clock.timestamp($0.time))" } ?? "the place is not known")
    }
    session.console.emitResult(.success) { json in
      json.add("noted", isNoted)
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
    }
    return .success
  }

  /// Nil: it follows none any more.
  private func track(of route: Route, radius: UInt64) throws(Failure) -> Track? {
    guard case .file(let path) = route else { return nil }
    let track = try RouteFile.track(path, for: radius)
    guard Corridor(along: track, metres: radius) != nil else { throw .badRoute(path: path, "it is too long") }
    return track
  }
}
