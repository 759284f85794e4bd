internal import MapModel
internal import Platform
internal import Releases
internal import Trust

/// The steps that lock the metadata, 2 and 8.
extension Publication {
  private static var roles: [Root.TopLevel] { [.targets, .snapshot, .timestamp] }

  private func session(_ store: KeyStore) throws(PublisherError) -> MetadataSession {
    try MetadataSession.begin(of: repository, keys: store, validity: options.validity, now: options.clock())
  }

  /// The releases that this one comes after; keys that cannot be used are found here, before the work.
  func look(_ store: KeyStore) throws(PublisherError) -> [ServedRelease] {
    let session = try session(store)
    try Workspace.empty(session.directory)
    try session.unlock(Publication.roles)
    let releases = try session.releases()
    try PayloadCache.clean(session.directory, next: Publication.number(after: releases))
    return releases
  }

  /// Adds the release to the metadata as it is now.
  func apply(
    _ made: ServedRelease, after served: [ServedRelease], signing store: KeyStore,
    observe: (ReleaseEvent) -> Void
  ) throws(PublisherError) -> (outcome: ChangeOutcome, metadata: ServedMetadata) {
    try change(signing: store, observe: observe) { (session) throws(PublisherError) in
      let now = try session.releases()
      // Their rollout may have changed, and they may have been recalled.
      let isSame = now.elementsEqual(served) {
        $0.number == $1.number && $0.catalog == $1.catalog && Identifier.isSame($0.label, $1.label)
      }
      guard isSame else { throw .repository(.releasesChanged(path: repository.path)) }
      return try session.publish(now + [made])
    }
  }

  /// Changes the metadata as it is now.
  func change(
    signing store: KeyStore, observe: (ReleaseEvent) -> Void,
    _ body: (inout MetadataSession) throws(PublisherError) -> ChangeOutcome
  ) throws(PublisherError) -> (outcome: ChangeOutcome, metadata: ServedMetadata) {
    try waiting(observe) { () throws(PublisherError) in
      var session = try session(store)
      try session.unlock(Publication.roles)
      return (try body(&session), session.served)
    }
  }

  /// Repeats `body` while another process has locked the metadata: that takes moments, making the release took hours.
  private func waiting<Result>(
    _ observe: (ReleaseEvent) -> Void, _ body: () throws(PublisherError) -> Result
  ) throws(PublisherError) -> Result {
    let limit = Clock.milliseconds + PublisherLimits.longestWait
    var isWaiting = false
    while true {
      do throws(PublisherError) { return try body() } catch {
        guard case .repository(.busy) = error, Clock.milliseconds < limit else { throw error }
      }
      if !isWaiting { observe(.waiting) }
      isWaiting = true
      Clock.sleep(milliseconds: 100)
    }
  }
}
