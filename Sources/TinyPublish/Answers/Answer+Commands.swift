internal import MapModel
internal import Platform
internal import Publisher
internal import Releases
internal import Trust

/// The shorter answers.
extension Answer {
  struct Plan: Encodable {
    let format = 1
    let release: UInt64
    let label: String
    let jobs: Int
    let seconds: UInt64
    let memory: UInt64
    let size: UInt64

    init(_ list: JobList) {
      (release, label, jobs) = (list.release.number, list.release.label, list.jobs.count)
      (seconds, memory, size) = (list.seconds, list.largestMemory, list.size)
    }
  }

  struct Work: Encodable {
    let id: String
    let dataGroup: String
    let path: String
    let format = 1
    let outcome: String
    /// Of the payload; nil if there is none.
    let size: UInt64?
    let milliseconds: UInt64

    init(_ outcome: JobRun.Outcome, of job: WorkJob, milliseconds: UInt64) {
      let name = job.component
      (id, dataGroup, path) = (name.id.text, name.dataGroup.text, name.path)
      switch outcome {
      case .made(let size): (self.outcome, self.size) = ("made", size)
      case .there(let size): (self.outcome, self.size) = ("there", size)
      case .notWorthwhile: (self.outcome, size) = ("notWorthwhile", nil)
      }
      self.milliseconds = milliseconds
    }
  }

  struct Recall: Encodable {
    let format = 1
    let release: UInt64
    let label: String
    let because: String?
    let published: Bool
    let waysBack: [WayBack]

    /// From a recalled release to an older one, by patches.
    struct WayBack: Encodable {
      let from: UInt64
      let to: UInt64
    }

    init(_ report: Recalling.Report) {
      (release, label) = (report.release.number, report.release.label)
      because = report.release.recall?.reason
      published = report.outcome == .published
      waysBack = report.waysBack.map { WayBack(from: $0.from.number, to: $0.to.number) }
    }
  }

  struct Push: Encodable {
    let format = 1
    let destination: String
    let release: UInt64?
    let label: String?
    let timestamp: UInt64
    let files: Int
    let size: UInt64
    let copied: Int

    init(_ report: Publisher.Push.Report, to destination: String) {
      self.destination = destination
      (release, label) = (report.release?.number, report.release?.label)
      (timestamp, files, size, copied) = (report.timestamp, report.files, report.size, report.copied)
    }
  }

  struct Prune: Encodable {
    let format = 1
    let dryRun: Bool
    /// Labels.
    let withdrawn: [String]
    let catalogs: Removed
    let components: Removed
    let payloads: Removed
    let files: [String]?
    let size: UInt64

    struct Removed: Encodable {
      let files: Int
      let size: UInt64
    }

    init(_ pruning: Pruning, isDryRun: Bool, namesFiles: Bool) {
      func removed(_ folder: String) -> Removed {
        let sizes = pruning.files.filter { $0.folder == folder }.map(\.size)
        return Removed(files: sizes.count, size: sizes.reduce(0, +))
      }
      dryRun = isDryRun
      withdrawn = pruning.withdrawn.map(\.label)
      (catalogs, components, payloads) = (removed("catalogs"), removed("components"), removed("payloads"))
      files = namesFiles ? pruning.files.map(\.name) : nil
      size = pruning.files.reduce(0) { $0 + $1.size }
    }
  }

  struct Initialization: Encodable {
    let format = 1
    let repository: String
    /// It was made; false: it was there.
    let isNew: Bool
    let metadata: [Metadata]
    let keys: [Keys.Key]

    init(_ list: KeyList, of repository: Repository, isNew: Bool) {
      (self.repository, self.isNew) = (repository.path, isNew)
      (metadata, keys) = (Metadata.all(list.served), list.answer.keys)
    }
  }

  /// The first member of answers whose other ones are written elsewhere, too.
  struct Format: Encodable {
    let format = 1
  }

  struct Verify: Encodable {
    let format = 1
    let metadata: [Metadata]
    let releases: [VerifiedRelease]
    /// Sentences.
    let warnings: [String]
    let problems: [String]

    struct VerifiedRelease: Encodable {
      let release: UInt64
      let label: String
      let rollout: UInt64
      let components: Int
      let payloads: Int
      let problems: Int

      init(_ row: Verification.Row) {
        (release, label, rollout) = (row.release.number, row.release.label, row.release.rollout)
        (components, payloads, problems) = (row.components, row.payloads, row.problems)
      }
    }

    init(_ verification: Verification) {
      metadata = verification.files.map(Metadata.init)
      releases = verification.releases.map(VerifiedRelease.init)
      (warnings, problems) = (verification.warnings, verification.problems)
    }
  }

  struct Export: Encodable {
    let format = 1
    /// Paths.
    let files: [String]
  }

  /// A file that was signed: what it says, and by which keys.
  struct Signing: Encodable {
    let format = 1
    let file: String
    let role: String
    let version: UInt64
    let expires: String
    let keyids: [String]
    let releases: [InspectedMetadata.ServedRelease]?
    let roles: [InspectedMetadata.Role]?

    init(_ signed: SignedFile, at path: String, by keyids: [String]) throws(PublisherError) {
      (file, role, version) = (path, signed.role.name, signed.version)
      (expires, self.keyids) = (Clock.timestamp(signed.expires), keyids)
      releases = try signed.releases?.map(InspectedMetadata.ServedRelease.init)
      roles = try signed.rootContent.map(InspectedMetadata.Role.all)
    }
  }

  struct Keys: Encodable {
    let format = 1
    let root: UInt64
    let isPending: Bool
    let keys: [Key]

    struct Key: Encodable {
      let role: String
      let threshold: Int
      let keyid: String
      let scheme: String
      let `public`: String
      /// Nil if the private key is elsewhere.
      let file: String?
    }
  }
}
