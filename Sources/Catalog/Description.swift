package import MapModel

/// What a component says about itself at its beginning.
package struct Description: Equatable {
  package var name: ComponentName
  /// In English, like `country` and `region`; `region` is empty for a whole country.
  package var group: String
  package var country: String
  package var region: String
  /// The release that last changed this component.
  package var release: Release
  package var dataSize: UInt64
  /// Bytes that an index of it needs on the device; 0: none.
  package var indexSize: UInt64
  /// The oldest application version that can read the data; 0: any.
  package var minimumReader: UInt64
  /// The package is too small to be shown by itself: a view of the larger regions hides it.
  package var isDetail: Bool
  package var geography: Geography

  package init(
    name: ComponentName, group: String, country: String, region: String, release: Release, dataSize: UInt64,
    indexSize: UInt64 = 0, minimumReader: UInt64 = 0, isDetail: Bool = false,
    geography: Geography = Geography()
  ) {
    self.name = name
    self.group = group
    self.country = country
    self.region = region
    self.release = release
    self.dataSize = dataSize
    self.indexSize = indexSize
    self.minimumReader = minimumReader
    self.isDetail = isDetail
    self.geography = geography
  }
}

/// What a package is called, and where on the globe it is.
package struct Geography: Equatable {
  /// The names by language as of BCP 47; the English one has none.
  package var names: [LocalizedName] = []
  package var bounds: Bounds?
  /// Rings, each as its text of `latitude,longitude` pairs.
  package var polygons: [String] = []
  /// How the polygons lie to the point that a reader looks for; nil if none was read.
  var measure: PolygonMeasure?

  package init() {}

  /// The name in English; nil if there is no name.
  package var englishName: String? {
    (names.first { $0.language.isEmpty || $0.language == "en" } ?? names.first)?.text
  }
}

/// A name in one language.
package struct LocalizedName: Equatable {
  /// Such as "fr"; empty for English.
  package let language: String
  package let text: String

  package init(language: String, text: String) {
    self.language = language
    self.text = text
  }
}

extension Geography {
  /// How much of a unit sphere the package covers, if it contains the point: by its polygons, else by its box.
  ///
  /// Needs a reader of `Detail.covering`; nil if the point lies outside, or the package does not say where it is.
  package func area(around point: Point) -> Double? {
    if let bounds, !bounds.contains(point) { return nil }
    if let measure { return measure.contains ? measure.area : nil }
    return bounds?.area
  }
}

/// How much of a description a reader keeps.
package enum Detail: Equatable {
  /// Without the polygons, for a device that only lists and installs.
  case summary
  /// Without names and bounds as well, for sums.
  case sizes
  /// Of the polygons only how they lie to a point, where the box before them contains it.
  case covering(Point)
  case full
}
