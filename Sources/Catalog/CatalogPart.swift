package import MapModel

/// Consecutive packages of a catalog that are listed in a file of their own, and what can be known without that file.
package struct CatalogPart: Equatable {
  /// Its first and its last package, in the order of their bytes.
  package let first: PackageID
  package let last: PackageID
  /// 0: the file lists components; otherwise it lists parts of one level less.
  package let level: UInt64
  package let packages: UInt32
  /// All of its packages are directly below the same region, or below none.
  package let isFlat: Bool
  /// The file: where (relative to the repository), which, how many bytes.
  package let url: String
  package let file: CatalogReference
  /// A box around all of its packages that say where they are; nil if none does.
  package var bounds: Bounds?
  /// The sums of its components by data group, in the order of their names.
  package var groups: [GroupSums]

  /// What a part has of one data group.
  package struct GroupSums: Equatable {
    package let name: DataGroup
    package var components: UInt32 = 0
    /// Bytes of all its components: as they are, to download in full, and of the indexes that they need.
    package var size: UInt64 = 0
    package var download: UInt64 = 0
    package var indexSize: UInt64 = 0

    package init(_ name: DataGroup) { self.name = name }
  }

  package init(
    from first: PackageID, to last: PackageID, level: UInt64, packages: UInt32, isFlat: Bool = false,
    url: String, file: CatalogReference, bounds: Bounds? = nil, groups: [GroupSums] = []
  ) {
    self.first = first
    self.last = last
    self.level = level
    self.packages = packages
    self.isFlat = isFlat
    self.url = url
    self.file = file
    self.bounds = bounds
    self.groups = groups
  }

  /// The regions that all of its packages are in, the outermost first.
  package var regions: [PackageID] { first.regions(sharedWith: last) }

  /// All of its packages lie below `region`.
  package func isBelow(_ region: PackageID) -> Bool { region.isAbove(first) && region.isAbove(last) }

  /// It may list one of `ids`, or a package below one.
  package func mayList(_ ids: [PackageID]) -> Bool {
    ids.contains { $0.contains(first) || $0.contains(last) || (first <= $0 && $0 <= last) }
  }
}
