/// What a package is called, and where on the globe it is.
package struct Geography: Equatable {
  /// The names by language as of BCP 47; the English one has none.
  package var names: [LocalizedName] = []
  package var bounds: Bounds?
  /// Rings, each as its text of `latitude,longitude` pairs.
  package var polygons: [String] = []
  /// How the polygons lie to the point that a reader asks for; nil if none was read.
  var measure: PolygonMeasure?
  /// The polygons as corners; nil if there are none, or a reader asks for something else.
  package var corners: PolygonCorners?

  package init() {}
}

extension Geography {
  /// It is known where the package is; needs a reader of `Detail.covering` or `Detail.near`.
  package var hasPlace: Bool { bounds != nil || measure != nil }

  /// How much of a unit sphere the package covers, if it contains the point: by its polygons, else by its box.
  ///
  /// Needs a reader of `Detail.covering`; nil if the point lies outside, or the package does not say where it is.
  package func area(around point: Point) -> Double? {
    if let bounds, !bounds.contains(point) { return nil }
    if let measure { return measure.contains ? measure.area : nil }
    return bounds?.area
  }

  /// The package reaches into the corridor: by its polygons, else by its box.
  ///
  /// Needs a reader of `Detail.near`; false also if the package does not say where it is.
  package func isNear(_ corridor: Corridor) -> Bool {
    if let bounds, !corridor.mayMeet(bounds) { return false }
    if let measure { return measure.contains || measure.isNear }
    return bounds.map { corridor.meets($0) } ?? false
  }
}
