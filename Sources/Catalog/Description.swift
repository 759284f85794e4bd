package import MapModel

/// What a component says about itself at its front.
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
