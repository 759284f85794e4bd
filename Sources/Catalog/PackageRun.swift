package import MapModel
package import Platform

/// Consecutive packages of a part that are directly below the same region, or below none, and what can be known without
/// reading their components.
package struct PackageRun: Equatable {
  package let first: PackageID
  package let last: PackageID
  package let packages: UInt32
  /// The sums of their components by data group, in the order of their names.
  package var groups: [CatalogPart.GroupSums]

  package init(
    from first: PackageID, to last: PackageID, packages: UInt32, groups: [CatalogPart.GroupSums] = []
  ) {
    self.first = first
    self.last = last
    self.packages = packages
    self.groups = groups
  }
}

extension PackageRun {
  /// The runs with which the file of `part` begins; only the front of the file is unpacked.
  ///
  /// - `file`: the part as it is served.
  package static func all(
    of part: CatalogPart, in file: consuming File
  ) throws(CatalogError) -> [PackageRun] {
    let path = file.path
    var reader = try CatalogReader(
      try XZSource(file, memory: CatalogLimits.partMemory), path: path, as: .part)
    // They precede the first component.
    _ = try reader.nextItem()
    let packages = reader.runs.reduce(0) { UInt64($1.packages) + $0 }
    guard reader.runs.first?.first == part.first, reader.runs.last?.last == part.last,
      packages == part.packages
    else { throw reader.reader.malformed(.notInPart(id: part.first)) }
    return reader.runs
  }
}
