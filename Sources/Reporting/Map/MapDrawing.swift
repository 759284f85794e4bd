/// The packages of a release on a map, as SVG.
struct MapDrawing {
  /// The packages that are drawn, with their outlines and their places in the table.
  private let drawn: [(outline: Outline, index: Int)]
  private let projection: MapProjection?
  /// The first view: where most of the packages are.
  private let focus: MapProjection.Box?
  /// Packages that are drawn outside of the first view.
  let distant: [Int]
  /// Packages that do not say where they are.
  let withoutPlace: [Int]
  /// Packages all around the globe, which would cover all others.
  let worldwide: [Int]

  init(_ packages: [Report.Package], places: (Report.Package) -> Report.Place?) {
    var drawn: [(outline: Outline, index: Int)] = []
    var (withoutPlace, worldwide): ([Int], [Int]) = ([], [])
    for (index, package) in packages.enumerated() where package.state != .gone {
      guard let outline = places(package).flatMap(Outline.init) else {
        withoutPlace.append(index)
        continue
      }
      if outline.isWorldwide { worldwide.append(index) } else { drawn.append((outline, index)) }
    }
    let projection = MapProjection(around: drawn.map(\.outline))
    let focus = projection.map { MapDrawing.focus(on: drawn.map(\.outline), in: $0) }
    distant = drawn.filter { MapDrawing.isDistant($0.outline, from: focus, in: projection) }.map(\.index)
    (self.projection, self.focus) = (projection, focus)
    // Small ones are on top of large ones.
    self.drawn = drawn.sorted {
      let (a, b) = ($0.outline.area, $1.outline.area)
      return a == b ? $0.index < $1.index : a > b
    }
    self.withoutPlace = withoutPlace
    self.worldwide = worldwide
  }

  var isEmpty: Bool { drawn.isEmpty }

  /// - `classes`: those of a package, which decide about its colour.
  func svg(_ classes: (Int) -> String) -> Markup {
    guard let projection, let focus else { return Markup() }
    let all = projection.box
    var shapes = Markup()
    for (outline, index) in drawn {
      let tiny = MapDrawing.isTiny(projection.box(of: outline)) ? " tiny" : ""
      let path = path(of: outline, in: projection)
      shapes += "<path id=\"m\(index)\" class=\"\(classes(index))\(tiny)\" d=\"\(path)\"/>\n"
    }
    let (down, across) = projection.grid
    // Around the drawing there is room on most screens.
    let side = MapProjection.side
    let grid =
      down.map { "M\($0) -\(side)V\(2 * side)" }.joined()
      + across.map { "M-\(side) \($0)H\(2 * side)" }.joined()
    return """
      <svg id="drawing" viewBox="\(MapDrawing.text(all))" data-focus="\(MapDrawing.text(focus))" \
      role="img" aria-label="Map of \(drawn.count) packages; the table below has the same figures">
      <path id="grid" d="\(grid)"/>
      <g id="shapes">
      \(shapes)</g>
      </svg>
      """
  }

  /// Hard to see where all packages are shown; it is drawn with a broad line.
  private static func isTiny(_ box: MapProjection.Box) -> Bool {
    max(box.width, box.height) < MapProjection.side / 200
  }

  private static func text(_ box: MapProjection.Box) -> String {
    "\(box.left) \(box.top) \(box.width) \(box.height)"
  }

  /// Where most of the packages are: a few far away would make all others small.
  private static func focus(on outlines: [Outline], in projection: MapProjection) -> MapProjection.Box {
    let all = projection.box
    let boxes = outlines.flatMap { projection.copies(of: $0) }.map(projection.box(of:))
    let (across, down) = (
      MapDrawing.quarters(boxes.map { $0.left + $0.width / 2 }),
      MapDrawing.quarters(boxes.map { $0.top + $0.height / 2 })
    )
    // Far away is what is several times as far from the middle half as that is wide.
    let reach = 2 * max(across.high - across.low, down.high - down.low)
    let near = boxes.filter { box in
      let (x, y) = (box.left + box.width / 2, box.top + box.height / 2)
      return (across.low - reach...across.high + reach).contains(x)
        && (down.low - reach...down.high + reach).contains(y)
    }
    guard let left = near.map(\.left).min(), let right = near.map({ $0.left + $0.width }).max(),
      let top = near.map(\.top).min(), let bottom = near.map({ $0.top + $0.height }).max(),
      (right - left) * (bottom - top) * 3 < all.width * all.height
    else { return all }
    let margin = max(right - left, bottom - top) / 25
    return MapProjection.Box(
      left: left - margin, top: top - margin, width: right - left + 2 * margin,
      height: bottom - top + 2 * margin)
  }

  /// No part of it is in the first view.
  private static func isDistant(
    _ outline: Outline, from focus: MapProjection.Box?, in projection: MapProjection?
  ) -> Bool {
    guard let focus, let projection else { return false }
    return !projection.copies(of: outline).map(projection.box(of:)).contains { box in
      box.left <= focus.left + focus.width && box.left + box.width >= focus.left
        && box.top <= focus.top + focus.height && box.top + box.height >= focus.top
    }
  }

  /// Between which numbers the middle half of them is.
  private static func quarters(_ numbers: [Int]) -> (low: Int, high: Int) {
    let sorted = numbers.sorted()
    guard !sorted.isEmpty else { return (0, 0) }
    return (sorted[sorted.count / 4], sorted[(sorted.count - 1) * 3 / 4])
  }

  /// All rings, each relative to its first point.
  private func path(of outline: Outline, in projection: MapProjection) -> String {
    var path = ""
    for copy in projection.copies(of: outline) {
      let points = copy.rings.reduce(0) { $0 + $1.count }
      let stride = points / ReportLimits.points + 1
      for ring in copy.rings { path += MapDrawing.path(ring.map(projection.point), every: stride) }
    }
    return path
  }

  /// Steps from point to point: only each of `stride` points, and none that is where the one before is.
  ///
  /// What is too small for that is a dot.
  private static func path(_ points: [(x: Int, y: Int)], every stride: Int) -> String {
    guard var last = points.first else { return "" }
    var path = "M\(last.x) \(last.y)l"
    var isFirst = true
    for index in Swift.stride(from: stride, to: points.count, by: stride) {
      let (x, y) = (points[index].x - last.x, points[index].y - last.y)
      guard x != 0 || y != 0 else { continue }
      path += (isFirst || x < 0 ? "" : " ") + "\(x)" + (y < 0 ? "" : " ") + "\(y)"
      isFirst = false
      last = points[index]
    }
    return isFirst ? "M\(last.x) \(last.y)h1" : path + "z"
  }
}
