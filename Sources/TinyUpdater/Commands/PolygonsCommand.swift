internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Updater

/// `polygons`: prints where packages are, corner by corner.
struct PolygonsCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "polygons", operands: .requiredIDs, options: [],
      summary: "print the polygons of packages: a corner per line, an empty line after each ring")
  }

  private let ids: SortedIDs

  init(_ invocation: Invocation) throws(UsageError) { ids = SortedIDs(try invocation.takeIDs()) }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let unlisted = try write(session)
    if unlisted > 0 {
      session.console.say("# not on this device: the list of \(unlisted) package\(unlisted == 1 ? "" : "s")")
    }
    session.console.emitResult(.success) { json in
      if unlisted > 0 { json.add("unlisted", unlisted) }
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
    }
    return .success
  }

  /// Returns the number of packages that could not be listed.
  private func write(_ session: Session) throws(Failure) -> UInt32 {
    var sources = try session.listingSources(of: ids.all)
    var view = PolygonView(session.console)
    defer { view.finish() }
    do throws(Failure) { return try sources.polygons(of: ids) { view.write($0, $1) } } catch {
      throw session.withMeantIDs(error)
    }
  }
}

/// Writes polygons as lines of two numbers, or as events.
private struct PolygonView {
  private let console: Console
  private var lines = LineBuffer()

  init(_ console: Console) { self.console = console }

  /// Corners of one event: a client reads them whole.
  private static var cornersOfEvent: Int { 256 }

  mutating func write(_ id: PackageID, _ polygon: PolygonCorners?) {
    switch console {
    case .quiet: return
    case .json: break
    case .bar, .lines: lines.add(polygon == nil ? "# \(id.text) has no polygon" : "# \(id.text)")
    }
    guard let polygon else { return }
    for index in 0..<polygon.ringCount {
      let ring = polygon.ring(index)
      if console == .json { writeEvents(id, ring: index, ring) } else { writeLines(ring) }
    }
  }

  private mutating func writeLines(_ ring: ArraySlice<PolygonCorners.Corner>) {
    for corner in ring { lines.add("\(corner.latitude.text) \(corner.longitude.text)") }
    lines.add("")
  }

  private mutating func writeEvents(_ id: PackageID, ring: Int, _ corners: ArraySlice<PolygonCorners.Corner>)
  {
    var rest = corners
    while !rest.isEmpty {
      var numbers: [String] = []
      for corner in rest.prefix(PolygonView.cornersOfEvent) {
        numbers.append(corner.latitude.text)
        numbers.append(corner.longitude.text)
      }
      rest = rest.dropFirst(PolygonView.cornersOfEvent)
      var json = JSON()
      json.add("event", "polygon")
      json.add("id", id)
      json.add("ring", ring)
      json.add("corners", numbers: numbers)
      lines.add(json.text)
    }
  }

  /// Writes the remaining lines.
  mutating func finish() { lines.flush() }
}
