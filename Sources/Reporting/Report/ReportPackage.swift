extension Report {
  /// One package of a release.
  package struct Package: Codable, Equatable, Sendable {
    /// How a package compares with the previous release.
    package enum State: String, Codable, CaseIterable, Sendable { case new, changed, unchanged, gone }

    package let id: String
    /// In English, else in the first language that there is; without names that of the region or country.
    package let name: String
    package let dataGroups: [String]
    package var state: State
    package let components: Int
    /// Components that differ from those of the previous release.
    package let changed: Int
    /// Of all components on a device; of a package that is gone, as it was.
    package let size: UInt64
    package let fullDownload: UInt64
    /// What a device downloads that has the package of one, two, … releases before; null where there was none.
    package let updates: [UInt64?]
    /// An index in the places of the report; nil if it does not say where it is.
    package var place: Int?

    package init(
      _ id: String, name: String, dataGroups: [String], state: State, components: Int, changed: Int,
      size: UInt64, fullDownload: UInt64, updates: [UInt64?]
    ) {
      self.id = id
      self.name = name
      self.dataGroups = dataGroups
      self.state = state
      self.components = components
      self.changed = changed
      self.size = size
      self.fullDownload = fullDownload
      self.updates = updates
    }

    /// What a device at the previous release downloads, in thousandths of the full download; nil if it lacks the package.
    var shareOfChange: UInt64? {
      guard let update = updates.first ?? nil, fullDownload > 0 else { return nil }
      let (scaled, isTooLarge) = update.multipliedReportingOverflow(by: 1000)
      // Never nothing for something.
      return update == 0
        ? 0 : max(1, isTooLarge ? update / (max(fullDownload, 1000) / 1000) : scaled / fullDownload)
    }
  }
}
