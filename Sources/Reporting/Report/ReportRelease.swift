extension Report {
  /// One release.
  package struct Release: Codable, Equatable, Sendable {
    package let release: UInt64
    package let label: String
    /// The percentage of devices that it is offered to.
    package let rollout: UInt64
    /// When it was published, as a timestamp; nil if that is not known.
    package var published: String?
    /// From when on its maps may be current; nil: from then on.
    package var effective: String?
    /// From when on its maps are not to be used any more; nil: never.
    package var expires: String?
    /// Why it was recalled; nil: it was not.
    package var recalled: String?
    /// With all parts.
    package var catalogSize: UInt64 = 0
    package var packages = 0
    package var components = 0
    /// Components that the base has otherwise or not at all; nil for the first release.
    package var changed: Int?
    /// Of all components on a device.
    package var size: UInt64 = 0
    package var fullDownload: UInt64 = 0
    /// For a device at the base, the newest release before that is offered to devices; nil for the first release.
    package var update: Update?
    /// What its page shows beyond that; nil if it has none.
    package var details: Details?

    package init(_ release: UInt64, label: String, rollout: UInt64) {
      self.release = release
      self.label = label
      self.rollout = rollout
    }

    /// Devices take it, so that some of them update from it.
    package var isOffered: Bool { rollout > 0 }
  }

  /// What a device with all packages of an older release downloads to have them at a newer one.
  ///
  /// Each component comes in the way that takes the fewest bytes, as a device plans it. New packages are not part of it,
  /// new data groups are.
  package struct Update: Codable, Equatable, Sendable {
    /// Components by how they come to the device.
    package var unchanged = 0
    package var patched = 0
    /// By several patches, one after the other.
    package var chained = 0
    package var inFull = 0
    /// Of all payloads.
    package var size: UInt64 = 0
    /// Bytes that the same components would take in full.
    package var fullDownload: UInt64 = 0

    package init() {}
  }

  /// What only the page of a release shows.
  package struct Details: Codable, Equatable, Sendable {
    /// The releases before it, the nearest first, and what a device at each of them downloads.
    package let bases: [Base]
    /// In the order of their ids, then those that are gone.
    package let packages: [Package]
    /// The components with the largest patches from the previous release, the largest first.
    package let largest: [LargeUpdate]
    /// Components that come in full because no patch saves enough, the largest first.
    package let inFull: [Component]
    /// How many components come by patches that `prune` has removed.
    package let pruned: Int

    package init(
      bases: [Base], packages: [Package], largest: [LargeUpdate], inFull: [Component], pruned: Int
    ) {
      self.bases = bases
      self.packages = packages
      self.largest = largest
      self.inFull = inFull
      self.pruned = pruned
    }
  }

  /// An older release.
  package struct Base: Codable, Equatable, Sendable {
    package let release: UInt64
    package let label: String
    package let update: Update

    package init(_ release: UInt64, label: String, update: Update) {
      self.release = release
      self.label = label
      self.update = update
    }
  }
}
