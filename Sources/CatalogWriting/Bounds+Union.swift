package import Catalog

extension Bounds {
  /// The whole globe.
  package static var globe: Bounds? {
    Bounds(
      south: Degrees(tenMillionths: -900_000_000), west: Degrees(tenMillionths: -1_800_000_000),
      north: Degrees(tenMillionths: 900_000_000), east: Degrees(tenMillionths: 1_800_000_000))
  }

  /// The smallest box around both; around the globe if there is no smaller one.
  package func union(_ other: Bounds) -> Bounds {
    var best: (arc: Arc, width: Int64)?
    for arc in [
      arc, other.arc, Arc(west: arc.west, east: other.arc.east), Arc(west: other.arc.west, east: arc.east),
    ] where arc.contains(self.arc) && arc.contains(other.arc) {
      if best.map({ arc.width < $0.width }) ?? true { best = (arc, arc.width) }
    }
    let arc = best?.arc ?? .circle
    return Bounds(
      south: min(south, other.south), west: arc.west, north: max(north, other.north), east: arc.east) ?? self
  }

  /// The box on a grid of hundredths of a degree that has this one in it.
  package var rounded: Bounds {
    let (step, half, circle) = (100_000 as Int64, 1_800_000_000 as Int64, 3_600_000_000 as Int64)
    func down(_ degrees: Degrees) -> Int64 { Int64(degrees.tenMillionths).rounded(downTo: step) }
    func up(_ degrees: Degrees) -> Int64 { -Int64(-degrees.tenMillionths).rounded(downTo: step) }
    let isCircle = arc.width + 2 * step >= circle
    // One that ends at the antimeridian does not begin to cross it.
    let (west, east) = isCircle ? (-half, half) : (max(-half, down(west)), min(half, up(east)))
    return Bounds(
      south: Degrees(tenMillionths: Int32(max(-900_000_000, down(south)))),
      west: Degrees(tenMillionths: Int32(west)),
      north: Degrees(tenMillionths: Int32(min(900_000_000, up(north)))),
      east: Degrees(tenMillionths: Int32(east))) ?? self
  }

  private var arc: Arc { Arc(west: west, east: east) }

  /// A stretch of a circle of latitude, from west to east.
  private struct Arc {
    let west: Degrees
    let east: Degrees

    static var circle: Arc {
      Arc(west: Degrees(tenMillionths: -1_800_000_000), east: Degrees(tenMillionths: 1_800_000_000))
    }

    var width: Int64 { Arc.eastward(from: west, to: east) }

    func contains(_ other: Arc) -> Bool {
      Arc.eastward(from: west, to: other.west) + other.width <= width
    }

    private static func eastward(from west: Degrees, to east: Degrees) -> Int64 {
      let step = Int64(east.tenMillionths) - Int64(west.tenMillionths)
      return step < 0 ? step + 3_600_000_000 : step
    }
  }
}

extension Int64 {
  fileprivate func rounded(downTo step: Int64) -> Int64 {
    let rest = self % step
    return self - (rest < 0 ? rest + step : rest)
  }
}
