/// What a page shows at most.
enum ReportLimits {
  /// Points of a package on the map: finer than a screen shows.
  static var points: Int { 2000 }
  /// Bars of a chart.
  static var bars: Int { 40 }
  /// Releases that the head of a page names.
  static var namedReleases: Int { 6 }
  /// Components in full that a page names.
  static var namedComponents: Int { 100 }
  /// Packages beside the map that a page names.
  static var namedPackages: Int { 50 }
}
