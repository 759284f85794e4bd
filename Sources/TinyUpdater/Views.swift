internal import Catalog
internal import MapModel
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
    guard var sources = try ListingSources.open(configuration.root) else { return }
    var query = ListingQuery()
    query.view = .tree
    _ = try write(query, &sources)
  }

  private func write(_ query: ListingQuery, _ sources: inout ListingSources) throws(UpdateError) -> NodeSums {
    var view = ListView(style, query.view)
    var listing = Listing(query, budget: configuration.memoryBudget, try QueueView(configuration.root))
    do throws(UpdateError) {
      let sums = try listing.run(&sources) { view.write($0) }
      view.finish()
      return sums
    } catch {
      view.finish()
      throw error
    }
  }

  private func sources() throws(UpdateError) -> ListingSources {
    var updater = try Updater(configuration, Reporter(style, Journal(configuration.root, style)))
    return try updater.listingSources()
  }

  // MARK: - at

  /// The smallest package that contains a point.
  func at(_ point: Point, _ language: Language) throws(UpdateError) -> ExitStatus {
    var search = try sources()
    let id = try search.smallestPackage(around: point)
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
