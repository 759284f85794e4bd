internal import Catalog
internal import Platform

/// Places on the globe as points of a drawing: equirectangular, true to scale in the latitude of the middle one of all packages.
///
/// The map is cut where the widest gap between packages is, so that what lies around the antimeridian stays together.
struct MapProjection: Equatable {
  /// A part of the drawing, in its units.
  struct Box: Equatable {
    var left: Int
    var top: Int
    var width: Int
    var height: Int
  }

  /// The longer side of the drawing: at forty times the width of a screen, a unit is about a pixel.
  static let side = 40_000

  /// In ten-millionths of a degree.
  private let west: Int64
  private let north: Int64
  private let east: Int64
  private let south: Int64
  /// Units of the drawing for a ten-millionth of a degree.
  private let unitsAcross: Double
  private let unitsDown: Double
  private let cut: Int64

  /// Nil if there is nothing to be shown.
  init?(around outlines: [Outline]) {
    guard let first = outlines.first else { return nil }
    let cut = MapProjection.widestGap(between: outlines)
    self.cut = cut
    var (south, north, west, east) = (first.south, first.north, Int64.max, Int64.min)
    for outline in outlines {
      let step = MapProjection.step(outline, from: cut)
      south = min(south, outline.south)
      north = max(north, outline.north)
      west = min(west, outline.west + step)
      east = max(east, min(outline.east + step, cut + Degrees.circle))
    }
    // Around a single point there has to be something, too.
    let margin = max((east - west) / 40, (north - south) / 40, 10_000)
    (self.west, self.east) = (west - margin, east + margin)
    (self.south, self.north) = (south - margin, north + margin)
    let latitudes = outlines.map { abs($0.north + $0.south) / 2 }.sorted()
    let narrowing = max(Degrees.radians(Degrees.circle / 4 - latitudes[latitudes.count / 2]).sine, 0.05)
    let (width, height) = (Double(self.east - self.west) * narrowing, Double(self.north - self.south))
    unitsDown = Double(MapProjection.side) / max(width, height)
    unitsAcross = unitsDown * narrowing
  }

  var box: Box {
    Box(
      left: 0, top: 0, width: Int((Double(east - west) * unitsAcross).rounded(.up)),
      height: Int((Double(north - south) * unitsDown).rounded(.up)))
  }

  /// Where the outline is drawn: once, or at both edges if the map is cut through it.
  func copies(of outline: Outline) -> [Outline] {
    let moved = outline.moved(by: MapProjection.step(outline, from: cut))
    guard moved.east > cut + Degrees.circle else { return [moved] }
    return [moved, moved.moved(by: -Degrees.circle)]
  }

  /// Of an outline that `copies(of:)` returned.
  func box(of outline: Outline) -> Box {
    let start = point(Outline.Place(latitude: outline.north, longitude: outline.west))
    let end = point(Outline.Place(latitude: outline.south, longitude: outline.east))
    return Box(left: start.x, top: start.y, width: end.x - start.x, height: end.y - start.y)
  }

  func point(_ place: Outline.Place) -> (x: Int, y: Int) {
    (
      Int((Double(place.longitude - west) * unitsAcross).rounded()),
      Int((Double(north - place.latitude) * unitsDown).rounded())
    )
  }

  /// Meridians and parallels as lines of the drawing, a round number of degrees apart.
  var grid: (down: [Int], across: [Int]) {
    let steps: [Int64] = [1, 2, 5, 10, 15, 30].map { $0 * 10_000_000 }
    let span = max(east - west, north - south)
    let step = steps.first { span / $0 <= 12 } ?? 300_000_000
    return (
      MapProjection.multiples(of: step, in: west...east).map {
        point(Outline.Place(latitude: 0, longitude: $0)).x
      },
      MapProjection.multiples(of: step, in: max(south, -Degrees.circle / 4)...min(north, Degrees.circle / 4))
        .map { point(Outline.Place(latitude: $0, longitude: 0)).y }
    )
  }

  private static func multiples(of step: Int64, in range: ClosedRange<Int64>) -> [Int64] {
    let first = range.lowerBound / step - 1
    return (first...(range.upperBound / step + 1)).map { $0 * step }.filter(range.contains)
  }

  /// How far east an outline moves to begin within a circle from the cut.
  private static func step(_ outline: Outline, from cut: Int64) -> Int64 {
    outline.west < cut ? Degrees.circle : 0
  }

  /// The meridian in the middle of the widest gap, from -180 to less than 180 degrees; the antimeridian if there is none.
  private static func widestGap(between outlines: [Outline]) -> Int64 {
    var widest = (size: Int64(0), middle: -Degrees.circle / 2)
    // What lies beyond the antimeridian begins the next round.
    var reach = (outlines.map(\.east).max() ?? 0) - Degrees.circle
    for outline in outlines.sorted(by: { $0.west < $1.west }) {
      let gap = outline.west - reach
      if gap > widest.size { widest = (gap, reach + gap / 2) }
      reach = max(reach, outline.east)
    }
    return Degrees.short(widest.middle)
  }
}
