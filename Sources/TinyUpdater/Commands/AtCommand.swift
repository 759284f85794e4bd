internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Updater

/// `at`: shows the smallest package that contains a point.
struct AtCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "at", operands: .coordinates, options: [.language],
      summary: "show the smallest package that contains a point, such as 35.9 14.4")
  }

  private let point: Point
  private let language: Language

  init(_ invocation: Invocation) throws(UsageError) {
    point = try invocation.takePoint()
    language = try invocation.language()
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    var found = try session.listingSources(in: Corridor(around: point, metres: 0))
    let id = try found.smallestPackage(around: point)
    if let id {
      var query = ListingQuery()
      query.ids = SortedIDs([id])
      query.language = language
      var sources = try session.listingSources(of: [id])
      try session.write(query, from: &sources)
    } else {
      session.console.say(
        try found.hasPlaces(.covering(point))
          ? "no map contains \(point.latitude.text) \(point.longitude.text)" : PlaceWords.none)
    }
    session.console.emitResult(.success) { json in
      if let id { json.add("id", id) }
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
    }
    return .success
  }
}

/// What is said of places.
enum PlaceWords {
  /// Nothing is found, wherever it is looked for.
  static var none: String { "no map says where it is; its publisher can add that, with bounds in map.xml" }
}
