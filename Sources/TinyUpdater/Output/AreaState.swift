internal import Catalog
internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// What `status` says of the place of the device.
struct AreaState {
  private let radius: UInt64
  private let visit: VisitRecord.Visit?
  /// Packages that are there because of it.
  private let packages: Int

  /// Nil if the configuration asks for no packages around it.
  init?(_ configuration: Configuration, _ store: borrowing Store) {
    guard let radius = configuration.area.radius else { return nil }
    self.radius = radius
    visit = VisitRecord(shown: configuration.root).visits.last
    packages = store.shownAreaRecord().arrivals.count
  }

  var json: JSON {
    var json = JSON()
    json.add("radius", radius)
    json.add("packages", packages)
    if let visit {
      json.add("latitude", number: visit.place.latitude.text)
      json.add("longitude", number: visit.place.longitude.text)
      json.add("since", Clock.timestamp(visit.time))
    }
    return json
  }

  var sentence: String {
    let place =
      visit.map { "\($0.place.words) since \(Clock.timestamp($0.time))" } ?? "a place that is not known"
    return "\(Distance.text(metres: radius)) around \(place): \(packages) package\(packages == 1 ? "" : "s")"
  }
}
