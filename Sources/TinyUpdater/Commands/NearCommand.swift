internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Updater

/// `near` and `along`: show the packages around a place or along a route, and install them.
struct NearCommand: StoreCommand {
  static var nearDescription: CommandDescription {
    .init(
      "near", operands: .coordinates, options: [.radius, .install, .noWait, .language],
      summary: "show the packages around a place, or install them")
  }

  static var alongDescription: CommandDescription {
    .init(
      "along", operands: .route, options: [.within, .install, .noWait, .language],
      summary: "show the packages along a route (GeoJSON or GPX), or install them")
  }

  private let search: Search
  private let language: Language
  /// Nil: nothing is installed.
  private let installing: WhenBusy?

  /// Where is searched; distances in metres.
  private enum Search {
    case around(Point, UInt64)
    case along(String, UInt64)
  }

  init(near invocation: Invocation) throws(UsageError) {
    try self.init(invocation, .around(try invocation.takePoint(), try invocation.distance(.radius)))
  }

  init(along invocation: Invocation) throws(UsageError) {
    guard invocation.operands.count == 1 else { throw invocation.error("along needs a file with a route") }
    try self.init(invocation, .along(invocation.operands[0], try invocation.distance(.within)))
  }

  private init(_ invocation: Invocation, _ search: Search) throws(UsageError) {
    self.search = search
    language = try invocation.language()
    installing = invocation.has(.install) ? WhenBusy(invocation) : nil
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let corridor = try corridor()
    var sources = try session.listingSources(in: corridor)
    let ids = try sources.packages(in: corridor, limit: MapTreeLimits.near)
    var packages = WrittenPackages()
    if ids.isEmpty {
      session.console.say(try sources.hasPlaces(.near(corridor)) ? "no map is there" : PlaceWords.none)
    } else {
      var query = ListingQuery()
      query.ids = SortedIDs(ids)
      query.language = language
      packages = try session.write(query, from: &sources)
      session.console.say(packages.sentence)
    }
    if let installing, packages.installed < packages.count {
      guard ids.count <= UpdateLimits.identifiers else { throw .tooManyNear(limit: UpdateLimits.identifiers) }
      return try QueueRunner(session).run(.install(ids), whenBusy: installing)
    }
    session.console.emitResult(.success) { json in
      json.add("packages", UInt64(packages.count))
      json.add("installed", UInt64(packages.installed))
      json.add("download", packages.missing)
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
    }
    return .success
  }

  private func corridor() throws(Failure) -> Corridor {
    switch search {
    case .around(let point, let metres): return Corridor(around: point, metres: metres)
    case .along(let path, let metres):
      guard let found = Corridor(along: try RouteFile.track(path, for: metres), metres: metres) else {
        throw .badRoute(path: path, "it is too long")
      }
      return found
    }
  }
}

extension WrittenPackages {
  fileprivate var sentence: String {
    let packages = "\(count) package\(count == 1 ? "" : "s")"
    return installed == count
      ? "\(packages), all installed"
      : "\(packages), \(installed) installed; \(ByteCount(missing).text) to install the rest"
  }
}
