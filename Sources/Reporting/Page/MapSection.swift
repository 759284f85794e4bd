internal import Platform

/// The map, with what its colours mean.
struct MapSection {
  /// What colours can stand for.
  private enum Colouring: String, CaseIterable {
    case update, full, share, state

    var title: String {
      switch self {
      case .update: "Update"
      case .full: "Full download"
      case .share: "Share of change"
      case .state: "State"
      }
    }
  }

  private let packages: [Report.Package]
  private let base: Report.Base?
  private let drawing: MapDrawing
  private let updates: Shades
  private let full: Shades

  init(_ details: Report.Details, places: (Report.Package) -> Report.Place?) {
    packages = details.packages
    base = details.bases.first
    drawing = MapDrawing(packages, places: places)
    updates = Shades(sizes: packages.compactMap { $0.updates.first ?? nil })
    full = Shades(sizes: packages.map(\.fullDownload))
  }

  var markup: Markup {
    """
    <section id="map" aria-labelledby="map-title">
    <h2 id="map-title">Map</h2>
    <div class="cartography">
    <div class="stage" tabindex="0" role="application" aria-label="Map: plus and minus zoom, arrows move, 0 shows all">
    \(drawing.isEmpty ? "<p class=\"empty\">No package of this release says where it is.</p>" : svg)
    <div class="zoom js" hidden>
    <button type="button" data-zoom="in" aria-label="Zoom in">+</button>
    <button type="button" data-zoom="out" aria-label="Zoom out">−</button>
    <button type="button" data-zoom="focus" aria-label="Most packages">◎</button>
    <button type="button" data-zoom="all" aria-label="All packages">⤢</button>
    </div>
    <div id="tip" role="status" hidden></div>
    </div>
    <div class="side">
    <fieldset>
    <legend>Colours</legend>
    \(Colouring.allCases.filter(isUseful).map(choice).joined)</fieldset>
    \(Colouring.allCases.filter(isUseful).map(legend).joined)\(beside("outside of the first view", drawing.distant, linkingTo: "m", " js"))\
    \(beside("without a place on the map", drawing.withoutPlace))\
    \(beside("all around the globe, and not drawn", drawing.worldwide))\
    <div id="card" class="js" aria-live="polite" hidden></div>
    </div>
    </div>
    </section>
    """
  }

  private var svg: Markup {
    drawing.svg { index in
      let package = packages[index]
      let update = package.updates.first ?? nil
      let shade = update.map { "u\(updates.index(of: $0))" } ?? "un"
      return
        "\(shade) f\(full.index(of: package.fullDownload)) \(MapSection.share(package)) \(package.state.rawValue)"
    }
  }

  private static func share(_ package: Report.Package) -> String {
    guard let share = package.shareOfChange else { return "sn" }
    return "s\(Shades.shares.index(of: share))"
  }

  /// The first release has no updates.
  private func isUseful(_ colouring: Colouring) -> Bool { base != nil || colouring == .full }

  private func choice(_ colouring: Colouring) -> Markup {
    let isFirst = base == nil || colouring == .update
    let checked: Markup = isFirst ? " checked" : ""
    return """
      <label><input type="radio" name="by" id="by-\(colouring.rawValue)" value="\(colouring.rawValue)"\(checked)> \
      \(colouring.title)</label>

      """
  }

  private func legend(_ colouring: Colouring) -> Markup {
    let (title, rows): (Markup, [(key: String, text: String)])
    switch colouring {
    case .update:
      title = "Download of a device at <bdi>\(base?.label ?? "")</bdi>"
      rows = MapSection.rows(updates) { ByteCount($0).text } + [("new", "new package")]
    case .full:
      title = "Download without older maps"
      rows = Array(MapSection.rows(full) { ByteCount($0).text }.dropFirst())
    case .share:
      title = "Update, as a share of the full download"
      rows = MapSection.rows(Shades.shares) { "\($0 / 10) %" } + [("new", "new package")]
    case .state:
      title = "Compared with <bdi>\(base?.label ?? "")</bdi>"
      rows = [("new", "new"), ("changed", "changed"), ("unchanged", "unchanged")]
    }
    let items: [Markup] = rows.map { "<li><i class=\"\($0.key)\"></i>\($0.text)</li>\n" }
    return """
      <div class="legend" data-by="\(colouring.rawValue)">
      <p>\(title)</p>
      <ul>
      \(items.joined)</ul>
      </div>

      """
  }

  private static func rows(_ shades: Shades, _ text: (UInt64) -> String) -> [(key: String, text: String)] {
    var rows = [(key: "k0", text: "nothing")]
    for limit in shades.limits { rows.append(("k\(shades.index(of: limit))", "to \(text(limit))")) }
    return rows + [("k\(Shades.count - 1)", "more than \(text(shades.limits.last ?? 0))")]
  }

  /// - `target`: "p" is the row of a package, "m" its place on the map.
  private func beside(
    _ reason: String, _ indices: [Int], linkingTo target: String = "p", _ mark: Markup = ""
  ) -> Markup {
    guard !indices.isEmpty else { return Markup() }
    let names: [Markup] = indices.prefix(ReportLimits.namedPackages).map { index in
      "<li><a href=\"#\(target)\(index)\"><bdi>\(packages[index].name)</bdi></a></li>\n"
    }
    let more: Markup =
      indices.count > ReportLimits.namedPackages
      ? "<li>and \(indices.count - ReportLimits.namedPackages) more</li>" : ""
    let count = indices.count == 1 ? "1 package" : "\(indices.count) packages"
    return """
      <details class="beside\(mark)"\(mark == "" ? "" : " hidden")><summary>\(count) \(reason)</summary><ul>\(names.joined)\(more)</ul></details>

      """
  }
}
