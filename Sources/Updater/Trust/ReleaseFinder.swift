internal import Catalog
internal import Platform
internal import Store
internal import Transport
internal import Trust

/// Finds the newest release that the publisher's keys vouch for.
struct ReleaseFinder: ~Copyable {
  private var trust: TrustClient

  /// Begins with the root in the store, or the one that came with the device.
  init(_ configuration: Configuration) throws(UpdateError) {
    let provisioned = try ReleaseFinder.provisionedRoot(configuration.trustedRoot)
    let directory = try storing { () throws(StoreError) in try Store.openTrust(configuration.root) }
    do throws(TrustError) {
      let metadata = try MetadataDirectory(directory)
      let now = try metadata.startTime(configuration.expiry, clock: Clock.now, built: productTime)
      trust = try TrustClient(metadata, provisioned: provisioned, now: now)
    } catch {
      throw error == .noRoot ? .noTrustedRoot(path: configuration.trustedRoot) : .trust(error, below: "")
    }
  }

  /// Nil if the repository has none for this device.
  ///
  /// `base`: the URL of the metadata, with its closing slash.
  mutating func newest(
    below base: String, _ client: inout Client, _ observer: inout some UpdateObserver
  ) throws(UpdateError) -> ReleaseTarget? {
    let targets = try ReleaseFinder.targets(&trust, below: base, &client, &observer)
    // Time is remembered as well as can be: a store that is full must not stop a look at what is new.
    do throws(TrustError) { try trust.rememberTime() } catch {}
    let share = RolloutShare()
    var newest: ReleaseTarget?
    try trusting { () throws(TrustError) in
      try targets.forEachTarget { target, custom in
        guard let release = ReleaseTarget(target, custom: custom), Identifier.isLabel(release.label),
          release.number > newest?.number ?? 0, share.includes(release)
        else { return }
        newest = release
      }
    }
    return newest
  }

  /// Nil if there is no such file; then the store must have one.
  private static func provisionedRoot(_ path: String) throws(UpdateError) -> [UInt8]? {
    do throws(FileError) {
      // One byte beyond the limit is enough to be refused.
      return try File(opening: path).bytes(upTo: Trust.Limits.root + 1)
    } catch {
      guard error.errno == .noEntry else { throw .store(.file(error)) }
      return nil
    }
  }

  // Two parts of `self` at a time: the compiler keeps them apart only as arguments.
  private static func targets(
    _ trust: inout TrustClient, below base: String, _ client: inout Client,
    _ observer: inout some UpdateObserver
  ) throws(UpdateError) -> Targets {
    try client.fetchingMetadata(below: base, &observer) { (fetch) throws(TrustError) in
      let snapshot = try trust.refresh(fetch)
      return try trust.targets(snapshot, fetch)
    }
  }
}
