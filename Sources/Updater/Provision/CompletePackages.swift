internal import MapModel

/// Gathers the packages of which everything is there, component by component in the order of a catalog.
///
/// All packages of an outermost region are one id, so that a world needs no more of them than it has continents.
struct CompletePackages {
  private var ids: [PackageID] = []
  private var package: (id: PackageID, isComplete: Bool)?
  /// The outermost region of `package`, and the complete packages in it.
  private var region: (id: PackageID, isComplete: Bool, ids: [PackageID])?
  private var isTooLong = false

  mutating func add(_ id: PackageID, isComplete: Bool) {
    if let package, package.id == id {
      self.package = (id, package.isComplete && isComplete)
    } else {
      endPackage()
      package = (id, isComplete)
    }
  }

  /// Their ids; nil if they are more than one operation takes.
  mutating func finish() -> [PackageID]? {
    endPackage()
    endRegion()
    return isTooLong ? nil : ids
  }

  private mutating func endPackage() {
    guard let package else { return }
    let outermost = package.id.regions(below: nil).first ?? package.id
    if region?.id != outermost {
      endRegion()
      region = (outermost, true, [])
    }
    if package.isComplete {
      // One more than can be is enough to know.
      if region?.ids.count ?? 0 <= UpdateLimits.identifiers { region?.ids.append(package.id) }
    } else {
      region?.isComplete = false
    }
    self.package = nil
  }

  private mutating func endRegion() {
    guard let region else { return }
    ids += region.isComplete ? [region.id] : region.ids
    if ids.count > UpdateLimits.identifiers {
      isTooLong = true
      ids = []
    }
    self.region = nil
  }
}
