internal import Catalog
internal import Crypto
internal import DeltaCreate
internal import JSONCoding
internal import MapModel
internal import Platform
internal import Publisher
internal import Releases
internal import Trust

/// The answers of `release` and of its dry run.
extension Answer {
  struct Release: Encodable {
    let format = 1
    let release: UInt64
    let label: String
    let previousRelease: UInt64?
    let previousLabel: String?
    let catalog: String
    let catalogSize: UInt64
    let rollout: UInt64
    let effective: String?
    let expires: String?
    let isPublished: Bool
    let metadata: [Metadata]?
    let packages: [Figures]
    let components: [Joined<Entry, MadeComponent>]
    let total: Figures
    let milliseconds: UInt64
    let streams = PatchMaker.encodesStreams
    let gone: [Component]
    let lost: [LostPackage]
    let ignored: [Ignored]

    init(_ report: ReleaseReport, packages: [Figures], total: Figures, ignored: [IgnoredFile]) {
      (release, label) = (report.release.number, report.release.label)
      (previousRelease, previousLabel) = (report.previous?.number, report.previous?.label)
      (catalog, catalogSize) = (report.catalog.catalogURL, report.catalog.catalog.size)
      rollout = report.catalog.rollout
      effective = report.catalog.effective.map { Clock.timestamp($0) }
      expires = report.catalog.expires.map { Clock.timestamp($0) }
      isPublished = report.outcome == .published
      metadata = isPublished ? Metadata.all(report.served) : nil
      self.packages = packages
      components = report.components.map { Joined(Answer.entry($0.entry), MadeComponent($0)) }
      self.total = total
      milliseconds = report.milliseconds
      gone = report.gone.map(Component.init)
      lost = LostPackage.all(report.lost)
      self.ignored = ignored.map(Ignored.init)
    }
  }

  struct Metadata: Encodable {
    let role: String
    let version: UInt64
    let expires: String

    init(_ file: SignedFile) {
      (role, version, expires) = (file.role.name, file.version, Clock.timestamp(file.expires))
    }

    /// One for each role.
    static func all(_ served: ServedMetadata) -> [Metadata] {
      Root.TopLevel.allCases.map { Metadata(served[$0]) }
    }
  }

  /// The sums of a package, or of all.
  struct Figures: Encodable {
    /// Of the package; nil: of all.
    let id: String?
    var components = 0
    var changed = 0
    var oldSize: UInt64 = 0
    var newSize: UInt64 = 0
    var fullDownload: UInt64 = 0
    /// The download for a device that has the components of the previous release.
    var update: UInt64 = 0
    var milliseconds: UInt64 = 0

    init(id: String?) { self.id = id }
  }

  /// The making of a component, after its entry in the catalog.
  struct MadeComponent: Encodable {
    let isUnchanged: Bool
    let isShared: Bool
    let oldSize: UInt64?
    let update: UInt64?
    let unsearched: Int
    let deflateStreams: StreamOutcomes?
    let matching: Matching?
    let milliseconds: UInt64

    init(_ component: ComponentReport) {
      isUnchanged = component.isUnchanged
      isShared = component.storage == .shared
      (oldSize, update) = (component.previous?.size, component.update)
      unsearched = component.streams?.unsearched ?? 0
      deflateStreams = component.streams.map(StreamOutcomes.init)
      matching = component.plan.map(Matching.init)
      milliseconds = component.milliseconds
    }
  }

  struct LostPackage: Encodable {
    let id: String
    let successors: [String]

    static func all(_ lost: LostPackages) -> [LostPackage] {
      lost.ids.map { id in
        LostPackage(id: id.text, successors: lost.successors.filter { $0.old == id }.map(\.new.text))
      }
    }
  }

  struct Ignored: Encodable {
    let path: String
    let reason: String

    init(_ file: IgnoredFile) { (path, reason) = (file.path, file.reason.text) }
  }

  struct Preview: Encodable {
    let format = 1
    let dryRun = true
    let release: UInt64
    let label: String
    let previousRelease: UInt64?
    let previousLabel: String?
    let components: [Joined<Component, PreviewedComponent>]
    let space: UInt64
    let gone: [Component]
    let lost: [LostPackage]
    let ignored: [Ignored]

    init(_ preview: ReleasePreview, ignored: [IgnoredFile]) {
      (release, label) = (preview.release.number, preview.release.label)
      (previousRelease, previousLabel) = (preview.previous?.number, preview.previous?.label)
      components = preview.components.map { Joined(Component($0.name), PreviewedComponent($0)) }
      space = preview.space
      gone = preview.gone.map(Component.init)
      lost = LostPackage.all(preview.lost)
      self.ignored = ignored.map(Ignored.init)
    }
  }

  struct PreviewedComponent: Encodable {
    let input: String
    let size: UInt64
    let oldSize: UInt64?
    let isUnchanged: Bool

    init(_ component: ReleasePreview.Component) {
      (input, size) = (component.input, component.size)
      (oldSize, isUnchanged) = (component.previousSize, component.isUnchanged)
    }
  }
}
