internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Updater

/// The commands that show the map tree.
struct Views {
  private let configuration: Configuration
  private let style: OutputStyle

  init(_ configuration: Configuration, _ style: OutputStyle) {
    self.configuration = configuration
    self.style = style
  }

  // MARK: - list

  func list(_ query: ListingQuery) throws(UpdateError) -> ExitStatus {
    var sources = try sources()
    _ = try write(query, &sources)
    style.say(sources.release.text)
    if let newest = sources.newest { style.say("\(newest.text) is the newest known") }
    let (release, newest) = (sources.release, sources.newest)
    style.emitResult(.success) { json in
      json.add("release", release.json)
      if let newest { json.add("newest", newest.json) }
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
    }
    return .success
  }

  /// The packages as events, as far as no network is needed for it.
  func writeState() throws(UpdateError) {
    let opened: ListingSources?
    do throws(MapTreeError) { opened = try ListingSources.open(configuration.root) } catch {
      throw UpdateError(error)
    }
    guard var sources = opened else { return }
    var query = ListingQuery()
    query.view = .tree
    _ = try write(query, &sources)
  }

  private func write(_ query: ListingQuery, _ sources: inout ListingSources) throws(UpdateError) -> NodeSums {
    var view = ListView(style, query.view)
    defer { view.finish() }
    do throws(MapTreeError) {
      let queue = try QueueView(configuration.root)
      var listing = Listing(query, memory: configuration.containerMemory, queue)
      return try listing.run(&sources) { view.write($0) }
    } catch { throw UpdateError(error) }
  }

  private func sources() throws(UpdateError) -> ListingSources {
    try Reporter(style).makeUpdater(configuration).listingSources()
  }

  // MARK: - at

  /// The smallest package that contains a point.
  func at(_ point: Point, _ language: Language) throws(UpdateError) -> ExitStatus {
    var search = try sources()
    let id: String?
    do throws(MapTreeError) { id = try search.smallestPackage(around: point) } catch {
      throw UpdateError(error)
    }
    if let id {
      var query = ListingQuery()
      query.ids = [id]
      query.language = language
      var sources = try sources()
      _ = try write(query, &sources)
    } else {
      style.say("no map contains \(point.latitude.text) \(point.longitude.text)")
    }
    style.emitResult(.success) { json in
      if let id { json.add("id", id) }
      json.add("peakResident", MemoryBudget.peakResident ?? 0)
    }
    return .success
  }
}
