internal import Catalog
internal import DeltaCreate
internal import Platform

/// Makes the payload of a job.
///
/// It is made under a name of its own, checked as a device would apply it, and then renamed: a job that is done twice, at the
/// same time too, or that is killed, leaves one right payload or none.
package struct JobRun {
  private let job: WorkJob
  private let path: String
  private let repository: Repository

  /// The result of a job.
  package enum Outcome: Equatable, Sendable {
    case made(size: UInt64)
    /// It was there, and is right.
    case there(size: UInt64)
    /// The payload saves too little, which is noted.
    case notWorthwhile
  }

  /// - `path`: the file of the job, for messages.
  /// - `repository`: the path of the repository on this machine; nil: as on the machine that wrote the job.
  package init(_ job: WorkJob, of path: String, in repository: String? = nil) throws(PublisherError) {
    self.job = job
    self.path = path
    self.repository = try Repository(opening: repository ?? job.repository)
  }

  /// Does the job, unless it is done.
  ///
  /// - `limit`: how long to wait for a command that has the payloads for a moment, in milliseconds.
  package func run(waitingFor limit: UInt64 = PublisherLimits.longestPause) throws(PublisherError) -> Outcome
  {
    let directory = try repository.open()
    let payloads = try RepositoryLock(.payloads, of: directory, .shared, within: limit)
    let releases = try Publication.releases(of: repository)
    guard job.release == Publication.number(after: releases) else {
      throw .job(.notNext(release: job.release, path: repository.path))
    }
    let cache = PayloadCache(for: job.release)
    let pair = PatchPair(
      old: job.base.map { "\(repository.path)/\($0.url)" }, oldSize: job.base?.size ?? 0,
      new: "\(repository.path)/\(job.new.url)", newSize: job.new.size)
    let recipe = PayloadCache.Recipe(
      old: job.base?.digest, new: job.new.digest, plan: pair.plan(limit: job.limit))
    guard try job.output == cache.name(recipe) else {
      throw .job(.otherRecipe(path: path))
    }
    try Workspace.make(directory)
    try cache.makeFolder(in: directory)
    let outcome = try run(recipe, between: pair, cache, in: try Workspace(repository))
    _ = consume payloads
    return outcome
  }

  private func run(
    _ recipe: PayloadCache.Recipe, between pair: PatchPair, _ cache: PayloadCache,
    in workspace: borrowing Workspace
  ) throws(PublisherError) -> Outcome {
    for file in [job.base, job.new].compactMap({ $0 }) { try check(file, in: workspace) }
    let size: UInt64
    switch try cache.find(recipe, in: workspace) {
    case .notWorthwhile: return .notWorthwhile
    case .payload(let found)
    where try PayloadCheck(pair: pair).accepts(found, at: workspace.path(of: job.output)):
      return .there(size: found.size)
    case .payload, nil:
      size = try cache.produce(recipe, between: pair, in: workspace).container.size
    }
    guard isWorthwhile(size) else {
      try cache.dismiss(recipe, in: workspace)
      return .notWorthwhile
    }
    return .made(size: size)
  }

  /// Whether the release may keep the payload: of a patch it compares with the packed form, which is another job.
  private func isWorthwhile(_ size: UInt64) -> Bool {
    job.base == nil
      ? PayloadPolicy.keepsPacked(size, insteadOf: job.new.size)
      : PayloadPolicy.keepsPatch(size, insteadOf: job.new.size)
  }

  /// A component that no release lists may be without its bytes, which a search for hours would find out at its end.
  private func check(_ file: WorkJob.FileReference, in workspace: borrowing Workspace) throws(PublisherError)
  {
    let path = workspace.path(of: file.url)
    guard try workspace.size(of: file.url) == file.size,
      try FileDigest.of(path) == FileDigest(size: file.size, digest: file.digest)
    else { throw .job(.noComponent(path: path)) }
  }
}
