internal import Platform
package import Releases
internal import Trust

/// A repository at a look: its releases, what waits for signatures, what expires, and the last push.
///
/// It is only read, without a lock.
package struct RepositoryStatus: Sendable {
  package let path: String
  /// Seconds since 1970.
  package let now: Int64
  package let served: ServedMetadata
  /// When releases were published, by their numbers, in seconds since 1970; not known of all.
  package let published: [UInt64: Int64]
  /// In the order of `Root.TopLevel`.
  package let roles: [RoleStatus]
  package let waiting: [WaitingFile]
  package let push: PushRecord.Last

  /// A file that waits for signatures.
  package struct WaitingFile: Sendable {
    package let file: SignedFile
    /// Nil if it has all that it needs; the next `sign import` publishes it then.
    package let missing: MissingSignatures?
    /// Of targets: what they would change.
    package let changes: [Change]
  }

  /// What a list of releases would change.
  package enum Change: Equatable, Sendable {
    case new(ServedRelease)
    case changed(ServedRelease)
    case withdrawn(ServedRelease)
  }

  package init(of repository: Repository, now: Int64) throws(PublisherError) {
    let directory = try repository.open()
    let served = try ServedMetadata(of: repository)
    let pending = try PendingFiles(of: directory, after: served)
    let missing = try pending.missingSignatures(after: served.root)
    let changes = try pending.releases().map { RepositoryStatus.changes(from: served.releases, to: $0) } ?? []
    (self.served, self.now, path) = (served, now, repository.path)
    published = PublicationDates(of: served, in: directory).dates
    roles = try Root.TopLevel.allCases.map { (role) throws(PublisherError) in
      try RoleStatus(role, of: served, now: now)
    }
    waiting = pending.files.map { file in
      WaitingFile(
        file: file, missing: missing.first { $0.file == file.name },
        changes: file.role == .targets ? changes : [])
    }
    push = try PushRecord.last(of: directory)
  }

  private static func changes(from old: [ServedRelease], to new: [ServedRelease]) -> [Change] {
    let changed = new.compactMap { release -> Change? in
      guard let before = old.first(where: { $0.number == release.number }) else { return .new(release) }
      return before == release ? nil : .changed(release)
    }
    let withdrawn = old.filter { before in !new.contains { $0.number == before.number } }
    return changed + withdrawn.map { .withdrawn($0) }
  }
}
