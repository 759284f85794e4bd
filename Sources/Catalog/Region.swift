package import MapModel

/// A region of the map tree that has a name: an inner node, above one or more packages.
package struct Region: Equatable {
  package let id: PackageID
  /// By language as of BCP 47; the English one has none.
  package let names: [LocalizedName]

  package init(id: PackageID, names: [LocalizedName]) {
    self.id = id
    self.names = names
  }
}
