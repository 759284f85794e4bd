/// What the first walk finds out about a region.
struct RegionSums {
  var sums = NodeSums()
  /// Its direct children in the view.
  var children: UInt32 = 0
  /// Children that are still to be shown.
  var remaining: UInt32 = 0
  var isShown = false
}
