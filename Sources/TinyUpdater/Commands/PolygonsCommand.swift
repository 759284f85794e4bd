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
    var sources = try session.listingSources(of: ids.all)
    var view = PolygonView(session.console)
    defer { view.finish() }
    let unlisted: UInt32
    do throws(Failure) { unlisted = try sources.polygons(of: ids) { view.write($0, $1) } } catch {
      guard case .unknownPackages(let ids, _) = error else { throw error }
      throw .unknown(ids.compactMap { PackageID($0) }, in: session.configuration.root)
    }
    view.finish()
    if unlisted > 0 {
      session.console.say("# \(unlisted) packages are in parts of the catalog that are not on this device")
    }
    session.console.emitResult(.success) { json in
      if unlisted > 0 { json.add("unlisted", unlisted) }
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
    }
    return .success
  }
}

/// Writes polygons as lines of two numbers, or as events.
private struct PolygonView {
  private let console: Console
  private var lines = ""

  init(_ console: Console) { self.console = console }

  /// Corners of one event: a client reads them whole.
  private static var cornersOfEvent: Int { 256 }

  mutating func write(_ id: PackageID, _ polygon: PolygonCorners?) {
    switch console {
    case .quiet: return
    case .json: break
    case .bar, .lines: add(polygon == nil ? "# \(id.text) has no polygon\n" : "# \(id.text)\n")
    }
    guard let polygon else { return }
    for index in 0..<polygon.ringCount {
      let ring = polygon.ring(index)
      if console == .json { writeEvents(id, ring: index, ring) } else { writeLines(ring) }
    }
  }

  private mutating func writeLines(_ ring: ArraySlice<PolygonCorners.Corner>) {
    for corner in ring { add("\(corner.latitude.text) \(corner.longitude.text)\n") }
    add("\n")
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
      add("\(json.text)\n")
    }
  }

  private mutating func add(_ text: String) {
    lines += text
    if lines.utf8.count > 8 << 10 { finish() }
  }

  /// Writes the remaining lines.
  mutating func finish() {
    Terminal.write(lines)
    lines = ""
  }
}
