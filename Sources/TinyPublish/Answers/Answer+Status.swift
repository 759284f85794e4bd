internal import MapModel
internal import Platform
internal import Publisher
internal import Releases
internal import Trust

/// The answer of `status`.
extension Answer {
  struct Status: Encodable {
    let format = 1
    let repository: String
    let releases: [DatedRelease]
    let waiting: [Waiting]
    let roles: [RoleState]
    let pushed: Pushed?
    /// Sentences.
    let warnings: [String]

    struct DatedRelease: Encodable {
      let release: UInt64
      let label: String
      let rollout: UInt64
      let published: String?
      let effective: String?
      let expires: String?
      let recalled: InspectedMetadata.ServedRelease.Recalled?

      init(_ release: ServedRelease, published: Int64?) {
        (self.release, label, rollout) = (release.number, release.label, release.rollout)
        self.published = published.map { Clock.timestamp($0) }
        effective = release.effective.map { Clock.timestamp($0) }
        expires = release.expires.map { Clock.timestamp($0) }
        recalled = release.recall.map(InspectedMetadata.ServedRelease.Recalled.init)
      }
    }

    struct Waiting: Encodable {
      let file: String
      let role: String
      /// Nil if no signature is missing.
      let missing: Missing?
      let changes: [Change]

      struct Change: Encodable {
        let change: String
        let release: UInt64
        let label: String

        init(_ change: RepositoryStatus.Change) {
          switch change {
          case .new(let release): (self.change, self.release, label) = ("new", release.number, release.label)
          case .changed(let release):
            (self.change, self.release, label) = ("changed", release.number, release.label)
          case .withdrawn(let release):
            (self.change, self.release, label) = ("withdrawn", release.number, release.label)
          }
        }
      }

      init(_ waiting: RepositoryStatus.WaitingFile) {
        (file, role) = (waiting.file.name, waiting.file.role.name)
        missing = waiting.missing.map(Missing.init)
        changes = waiting.changes.map(Change.init)
      }
    }

    struct RoleState: Encodable {
      let role: String
      let version: UInt64
      let expires: String
      let days: Int64
      let state: String
      let threshold: Int
      let keys: Int
      let spareKeys: Int

      init(_ role: RoleStatus) {
        (self.role, version, expires) = (role.role.name, role.version, Clock.timestamp(role.expires))
        (days, state) = (role.days, role.state.rawValue)
        (threshold, keys, spareKeys) = (role.threshold, role.keys, role.spareKeys)
      }
    }

    struct Pushed: Encodable {
      let destination: String
      let time: String
      let release: UInt64?
      let label: String?
      let timestamp: UInt64
      let isCurrent: Bool
    }

    init(_ status: RepositoryStatus, warnings: [String]) {
      repository = status.path
      releases = status.served.releases.map { DatedRelease($0, published: status.published[$0.number]) }
      waiting = status.waiting.map(Waiting.init)
      roles = status.roles.map(RoleState.init)
      if case .known(let push) = status.push {
        pushed = Pushed(
          destination: push.destination, time: push.time, release: push.release, label: push.label,
          timestamp: push.timestamp, isCurrent: push.timestamp == status.served.timestamp.version)
      } else {
        pushed = nil
      }
      self.warnings = warnings
    }
  }

  /// The signatures that a file has, and how many it needs.
  struct Missing: Encodable {
    let file: String
    let role: String
    let found: Int
    let threshold: Int

    init(_ missing: MissingSignatures) {
      (file, role) = (missing.file, missing.role.name)
      (found, threshold) = (missing.found, missing.threshold)
    }
  }
}
