package import MapModel
package import Releases

/// Takes a release back, and makes the patches by which devices go back from it.
///
/// 1. Sign and replace the metadata: devices that have the release leave it from here on, to the one that they have kept,
///    or by downloads in full.
/// 2. Make the catalogs of the older release that have patches from the recalled ones (`Publication.makeWayBack`).
/// 3. List these catalogs in the metadata.
///
/// An interruption after step 1 leaves the release recalled; the same command again goes on with step 2.
package struct Recalling: Sendable {
  private let repository: Repository
  private let label: String
  private let recall: Recall
  private let options: Publication.Options

  /// - `reason`: a line that people see on their devices.
  package init(
    _ label: String, because reason: String, in repository: Repository, options: Publication.Options
  ) throws(PublisherError) {
    guard let recall = Recall(because: reason) else {
      throw .label(.unusableReason(limit: Recall.longestReason))
    }
    self.repository = repository
    self.label = label
    self.recall = recall
    self.options = options
  }

  /// What came of it.
  package struct Report: Sendable {
    /// The release that was recalled.
    package let release: ServedRelease
    /// Devices see it, or it waits for signatures.
    package internal(set) var outcome: ChangeOutcome
    /// From where to where devices go back by patches.
    package internal(set) var waysBack: [(from: Release, to: Release)] = []
    /// There is no release that devices can go to.
    package let leavesNothing: Bool
  }

  /// - `didRecall`: called as soon as devices see that the release is recalled, or it waits for signatures.
  package func run(
    signing store: KeyStore, didRecall: (ChangeOutcome) -> Void = { _ in },
    _ observe: (ReleaseEvent) -> Void = { _ in }
  ) async throws(PublisherError) -> Report {
    let publication = try Publication(of: .release(label), label: label, in: repository, options: options)
    return try await publication.locked { (directory) throws(PublisherError) in
      let releases = try publication.look(store)
      let outcome = try publication.change(signing: store, observe: observe) {
        (session) throws(PublisherError) in try session.recall(label, as: recall)
      }
      didRecall(outcome.outcome)
      let recalled = try Publication.releases(of: repository)
      guard let release = recalled.first(where: { Identifier.isSame($0.label, label) }) else {
        throw .repository(.releasesChanged(path: repository.path))
      }
      let isFollowed = recalled.contains {
        $0.number > release.number && $0.isForAll(at: options.clock())
      }
      let ways = recalled.waysBack(at: options.clock())
      var report = Report(
        release: release, outcome: outcome.outcome,
        leavesNothing: !isFollowed && !ways.contains { $0.from == release })
      var made: [UInt64: CatalogedRelease] = [:]
      for way in ways {
        report.waysBack.append((way.from.release, way.to.release))
        // An earlier run has made it.
        if way.from.recall?.back?.release == way.to.release { continue }
        let older = try Publication(
          of: .release(way.to.label), label: way.to.label, in: repository, options: options)
        made[way.from.number] = try await older.makeWayBack(
          from: way.from, to: way.to, in: directory, next: Publication.number(after: releases),
          observe: observe)
      }
      if made.isEmpty { return report }
      report.outcome = try publication.change(signing: store, observe: observe) {
        (session) throws(PublisherError) in try session.setWaysBack(made)
      }.outcome
      return report
    }
  }
}
