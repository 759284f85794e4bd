internal import Catalog
internal import Crypto
internal import MapModel
internal import Platform
internal import Releases
internal import Store
internal import Transport
internal import Trust

/// Finds the newest release that the publisher's keys vouch for.
struct ReleaseFinder: ~Copyable {
  private var trust: TrustClient
  /// The time by which releases are in effect, in seconds since 1970: that by which signatures expire.
  private let now: Int64

  /// Begins with the root in the store, or the one that came with the device.
  init(_ configuration: Configuration, heartbeat: Heartbeat) throws(Failure) {
    let provisioned = try ReleaseFinder.provisionedRoot(configuration.trustedRoot)
    let directory = try Store.openTrust(configuration.root)
    let now: Int64
    do throws(TrustError) {
      let metadata = try MetadataDirectory(directory, shouldStop: heartbeat.shouldStop)
      now = try metadata.startTime(configuration.expiry, clock: Clock.now, built: productTime)
      trust = try TrustClient(metadata, provisioned: provisioned, now: now)
    } catch {
      if case .noRoot = error { throw .noTrustedRoot(path: configuration.trustedRoot) }
      throw Failure(error, below: "")
    }
    // What is provisioned is used at a time that nobody knows yet.
    self.now = configuration.expiry == .factory ? .max : now
  }

  /// What the repository has for this device.
  ///
  /// - `base`: the URL of the metadata, with its closing slash.
  /// - `retries`: how often a request is tried again; nil: as the settings of the client say.
  /// - `application`: the version of the device's application; nil: it reads everything.
  mutating func offer(
    below base: String, retries: Int?, application: UInt64?, installed: CatalogedRelease?,
    client: inout Client,
    events: ActivityPublisher
  ) throws(Failure) -> Offer {
    let targets = try ReleaseFinder.targets(
      &trust, below: base, retries: retries, client: &client, events: events)
    // A store that cannot keep the time must not fail a check for updates.
    do throws(TrustError) { try trust.rememberTime() } catch {}
    let share = RolloutShare()
    return try ReleaseFinder.offer(
      in: targets, at: now, application: application, installed: installed, where: share.includes)
  }

  /// What a bundle has for this device: the releases whose catalogs are in it.
  ///
  /// Whoever brought it has decided that the device is to have it, so that the share of a roll-out does not count.
  /// One that is older than the metadata in the store is judged by that.
  mutating func offer(
    from bundle: Bundle, application: UInt64?, installed: CatalogedRelease?
  ) throws(Failure) -> Offer {
    let targets = try ReleaseFinder.targets(&trust, from: bundle)
    do throws(TrustError) { try trust.rememberTime() } catch {}
    var failure: Failure?
    func isThere(_ release: CatalogedRelease) -> Bool {
      do throws(Failure) { return try bundle.has(release.catalogURL) } catch {
        failure = error
        return false
      }
    }
    var offer = try ReleaseFinder.offer(
      in: targets, at: now, application: application, installed: installed
    ) { isThere($0.cataloged) }
    if let installed { offer.hasInstalled = offer.hasInstalled && isThere(installed) }
    if let back = offer.recall?.back, !isThere(back) { offer.recall?.back = nil }
    if let failure { throw failure }
    return offer
  }

  /// The time by which releases are in effect, without a network.
  static func now(_ configuration: Configuration) throws(Failure) -> Int64 {
    let directory = try Store.openTrust(configuration.root)
    do throws(TrustError) {
      return try MetadataDirectory(reading: directory)
        .startTime(configuration.expiry, clock: Clock.now, built: productTime)
    } catch { throw Failure(error, below: "") }
  }

  /// The release that has this catalog, by the metadata in the store at `root` that was trusted last.
  ///
  /// Needs no network, and does not wait for a process that uses one. Nil if the metadata does not list it.
  static func remembered(_ catalog: Digest, in root: String) throws(Failure) -> CatalogedRelease? {
    var found: CatalogedRelease?
    try forEachRemembered(in: root) { found = found ?? $0.listed(by: catalog) }
    return found
  }

  /// Until when each role's signature is valid, of the same metadata, in seconds since 1970.
  static func expiries(in root: String) throws(Failure) -> [(role: Root.TopLevel, expires: Int64)] {
    let directory = try Store.openTrust(root)
    do throws(TrustError) {
      return try TrustClient(MetadataDirectory(reading: directory), provisioned: nil, now: 0).storedExpiries()
    } catch { throw Failure(error, below: "") }
  }

  /// Calls `body` with each release that the same metadata lists.
  static func forEachRemembered(
    in root: String, _ body: (ServedRelease) -> Void
  ) throws(Failure) {
    let directory = try Store.openTrust(root)
    let targets: Targets
    do throws(TrustError) {
      targets = try TrustClient(MetadataDirectory(reading: directory), provisioned: nil, now: 0)
        .storedTargets()
    } catch { throw Failure(error, below: "") }
    try forEachRelease(in: targets, body)
  }

  private static func offer(
    in targets: Targets, at now: Int64, application: UInt64?, installed: CatalogedRelease?,
    where isOffered: (ServedRelease) -> Bool
  ) throws(Failure) -> Offer {
    var offer = Offer()
    try forEachRelease(in: targets) { release in
      if let installed {
        if release.listed(by: installed.catalog.digest) != nil { offer.hasInstalled = true }
        // By whichever catalog the device has come to it.
        if release.release == installed.release { offer.recall = release.recall }
      }
      guard release.recall == nil, isOffered(release) else { return }
      let isUsable = application.map { $0 >= release.minimumApplication } ?? true
      if let effective = release.effective, effective > now {
        if isUsable, release.number > offer.upcoming?.number ?? 0 { offer.upcoming = release }
        return
      }
      if release.number > offer.newest?.number ?? 0 { offer.newest = release }
      guard isUsable else { return }
      if release.number > offer.usable?.number ?? 0 { offer.usable = release }
      if release.number < installed?.release.number ?? 0, release.number > offer.older?.number ?? 0 {
        offer.older = release
      }
    }
    if offer.upcoming?.number ?? 0 < offer.usable?.number ?? 0 { offer.upcoming = nil }
    return offer
  }

  private static func forEachRelease(
    in targets: Targets, _ body: (ServedRelease) -> Void
  ) throws(Failure) {
    do throws(TrustError) {
      try targets.forEachTarget { target, custom in
        guard let release = ServedRelease(target, custom: custom), Identifier.isLabel(release.label) else {
          return
        }
        body(release)
      }
    } catch { throw Failure(error, below: "") }
  }

  /// Nil if there is no such file; then the store must have one.
  static func provisionedRoot(_ path: String) throws(Failure) -> [UInt8]? {
    do throws(Failure) {
      // One byte beyond the limit is enough to be refused.
      return try File(opening: path).bytes(upTo: TrustLimits.root + 1)
    } catch {
      guard error.errno == .noEntry else { throw error }
      return nil
    }
  }

  // Two parts of `self` at a time: the compiler keeps them apart only as arguments.
  private static func targets(
    _ trust: inout TrustClient, below base: String, retries: Int?, client: inout Client,
    events: ActivityPublisher
  ) throws(Failure) -> Targets {
    var events = events
    return try client.fetchingMetadata(below: base, retries: retries, observer: &events) {
      (fetch) throws(TrustError) in
      let snapshot = try trust.refresh(fetch)
      return try trust.targets(snapshot, fetch: fetch)
    }
  }

  private static func targets(
    _ trust: inout TrustClient, from bundle: Bundle
  ) throws(Failure) -> Targets {
    var failure: Failure?
    let fetch: (String, UInt64) -> Fetched = { file, limit in
      do throws(Failure) {
        return try bundle.bytes(of: "metadata/\(file)", upTo: limit).map { .file($0) } ?? .absent
      } catch {
        failure = error
        return .failed
      }
    }
    do throws(TrustError) {
      let snapshot = try trust.refresh(fetch)
      return try trust.targets(snapshot, fetch: fetch)
    } catch {
      // It is signed, and was made before what this device has seen since.
      if case .rolledBack = error { return try storedTargets(&trust) }
      if case .missing = error {
        throw .metadataMissing(sentence: "\(bundle.path) is not a bundle: \(error.sentence)")
      }
      throw failure ?? Failure(error, below: bundle.shown("metadata/"))
    }
  }

  /// By the metadata in the store alone.
  private static func storedTargets(_ trust: inout TrustClient) throws(Failure) -> Targets {
    let timestamp = try wrap(trust: trust.storedTimestampBytes())
    return try targets(&trust) { file, _ in
      file == "timestamp.json" ? timestamp.map { .file($0) } ?? .absent : .absent
    }
  }

  private static func targets(
    _ trust: inout TrustClient, fetch: (String, UInt64) -> Fetched
  ) throws(Failure) -> Targets {
    let snapshot = try wrap(trust: trust.refresh(fetch))
    return try wrap(trust: trust.targets(snapshot, fetch: fetch))
  }
}
