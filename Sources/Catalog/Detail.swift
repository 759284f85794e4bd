/// How much of a description a reader keeps.
package enum Detail: Equatable {
  /// Without the polygons, for a device that only lists and installs.
  case summary
  /// Without names and bounds as well, for sums.
  case sizes
  /// Of the polygons only how they lie to a point, where the box before them contains it.
  case covering(Point)
  /// The same of a corridor, where the box may reach into it.
  case near(Corridor)
  /// The polygons as corners, without names.
  case corners
  case full
}
