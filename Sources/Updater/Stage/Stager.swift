internal import Catalog
internal import Crypto
internal import DeltaApply
internal import InPlace
internal import MapModel
internal import MapTree
internal import PatchFormat
internal import Platform
internal import Store
internal import Transport

/// Brings components to staging, one after the other, each complete and verified.
struct Stager {
  /// Bytes that applying a container may take.
  let memory: UInt64
  /// Containers that make another file than the catalog lists, by their heads.
  private(set) var unusable: [Digest]
  /// Containers of the component that is staged now which have gone by, or do not come, by their heads.
  private var skippedContainers: [Digest] = []
  let repository: Repository
  let events: ActivityPublisher
  let heartbeat: Heartbeat
  /// An installed component that patches are served for does not come in full.
  var refusesFull = false

  init(
    memory: UInt64, unusable: [Digest], repository: Repository, events: ActivityPublisher,
    heartbeat: Heartbeat
  ) {
    self.memory = memory
    self.unusable = unusable
    self.repository = repository
    self.events = events
    self.heartbeat = heartbeat
  }

  // MARK: - Payloads

  /// The payloads by which `entry` can come to this device.
  func options(
    for entry: CatalogEntry, installed: InstalledComponent?, without lost: [Container] = []
  ) -> PayloadOptions {
    let absent = repository.absentContainers(of: entry)
    return PayloadOptions(
      entry, installed: installed, memory: memory,
      without: unusable + skippedContainers + absent + lost.map { $0.head })
  }

  /// Finds out by which payload a component comes through a pipe: what is passed over on the way to it is not chosen.
  mutating func find(
    _ entry: CatalogEntry, installed: InstalledComponent?, in staging: borrowing Staging
  ) throws(Failure) {
    skippedContainers = []
    guard repository.isStream else { return }
    let options = options(for: entry, installed: installed)
    let cheapest = try payload(for: entry, options: options, in: staging)
    if cheapest == .staged { return }
    let containers = [options.patch].compactMap { $0 } + options.chain.map { $0.container }
    let full = [entry.packed?.url, entry.url].compactMap { $0 }
    guard let found = try repository.find(containers.map { $0.url } + full) else { return }
    if names(of: cheapest, to: entry).contains(where: { Identifier.isSame($0, found) }) { return }
    let isChain = options.chain.contains { Identifier.isSame($0.container.url, found) }
    for container in containers + [entry.packed].compactMap({ $0 }) {
      let comes =
        Identifier.isSame(container.url, found)
        || isChain && options.chain.contains { $0.container == container }
      if !comes { skippedContainers.append(container.head) }
    }
  }

  /// What is downloaded for a payload, by names in the repository.
  private func names(of payload: Payload, to entry: CatalogEntry) -> [String] {
    if case .whole(let url, _) = payload { return [url] }
    return payload.steps(to: entry).map { $0.container.url }
  }

  /// Refuses a payload that what `--from` names does not have.
  func check(_ payload: Payload, of entry: CatalogEntry) throws(Failure) {
    for name in names(of: payload, to: entry) { try repository.checkPresence(of: name) }
  }

  /// Refuses a component in full although patches are served for it, where the configuration says so.
  ///
  /// - `isInstalled`: a version of it is installed, be its file damaged or not.
  /// - `denial`: why a patch did not come. If the component in full would not come either, that is why it does not.
  func check(
    _ payload: Payload, of entry: CatalogEntry, options: PayloadOptions, isInstalled: Bool,
    after denial: Failure? = nil
  ) throws(Failure) {
    guard refusesFull, isInstalled, !entry.patches.isEmpty, payload != .staged,
      options.patch == nil && options.chain.isEmpty
    else { return }
    if let denial, try !isGivenInFull(entry) { throw denial }
    throw .noPatch(component: entry.name.path, size: payload.download)
  }

  private func isGivenInFull(_ entry: CatalogEntry) throws(Failure) -> Bool {
    for name in [entry.url, entry.packed?.url].compactMap({ $0 }) where try repository.gives(name) {
      return true
    }
    return false
  }

  /// The cheapest of them, given what staging holds already.
  func payload(
    for entry: CatalogEntry, options: PayloadOptions, in staging: borrowing Staging
  ) throws(Failure) -> Payload {
    let isThere = try staging.isComplete(entry.digest, size: entry.size, isTree: entry.name.file.isTree)
    return isThere ? .staged : options.cheapest
  }

  /// What staging holds of a component that comes as `payload`.
  func share(
    of entry: CatalogEntry, by payload: Payload, in staging: borrowing Staging
  ) throws(Failure) -> StagedShare {
    let steps = payload.steps(to: entry)
    var share = StagedShare()
    share.file = try staging.occupied(entry.digest)
    share.index = try staging.storedIndex(entry.digest) ?? 0
    if case .whole = payload { share.fetched = try staging.stored(entry.digest) }
    for step in steps.dropLast() {
      share.temporary = share.temporary.saturatingSum(try staging.occupied(step.target.digest))
    }
    guard !steps.isEmpty else { return share }
    let next = try nextStep(of: steps, to: entry, in: staging)
    share.fetched = steps[..<next].reduce(0) { $0.saturatingSum($1.container.size) }
    if next < steps.count {
      for (index, step) in steps.enumerated() where index >= next {
        var there = try staging.storedContainer(step.container.head)
        if there == nil { there = try staging.partOfContainer(step.container.head) }
        if there == nil && index == next {
          there = try ContainerSink.checkpoint(
            of: step, isTree: isTree(step, of: steps, to: entry), in: staging)?
            .containerOffset
        }
        share.fetched = share.fetched.saturatingSum(there ?? 0)
      }
    }
    return share
  }

  /// The step makes a component that has many files.
  private func isTree(_ step: PayloadStep, of steps: [PayloadStep], to entry: CatalogEntry) -> Bool {
    entry.name.file.isTree && step == steps.last
  }

  /// The index of the first step whose result is not staged.
  private func nextStep(
    of steps: [PayloadStep], to entry: CatalogEntry, in staging: borrowing Staging
  ) throws(Failure) -> Int {
    for (index, step) in steps.enumerated().reversed() {
      // What comes in between serves as either.
      let isTree: Bool? = index == steps.count - 1 ? entry.name.file.isTree : nil
      if try staging.isComplete(step.target.digest, size: step.target.size, isTree: isTree) {
        return index + 1
      }
    }
    return 0
  }

  /// The installed component that has to be intact for `payload`; nil if none has to be.
  func neededBase(
    of payload: Payload, to entry: CatalogEntry, in staging: borrowing Staging
  ) throws(Failure) -> InstalledComponent? {
    let steps = payload.steps(to: entry)
    guard try nextStep(of: steps, to: entry, in: staging) == 0, !steps.isEmpty else { return nil }
    return payload.base
  }

  // MARK: - Faults

  /// What is wrong with a container of a payload, so that the component has to come by another one.
  enum Fault {
    /// The server does not have it, or no longer has it.
    case lost(Container)
    /// It is the one that the publisher signed, and does not make the file that it should.
    case unusable(Container)
    /// What came of it, from each server twice, is not what the publisher signed.
    case altered(Container)
  }

  /// The fault of a container of `steps`, if that is what `error` is about.
  func fault(
    _ error: Failure, of steps: [PayloadStep]
  ) -> Fault? {
    let (url, isLost): (String, Bool)
    switch error {
    case .wrongDigest(let path): (url, isLost) = (path, false)
    case .patch(let path, _, .signed): (url, isLost) = (path, false)
    case .patch(let path, _, _): return altered(of: steps, at: path, error)
    default:
      guard let denied = error.deniedURL else { return nil }
      (url, isLost) = (denied, true)
    }
    for step in steps where repository.isURL(url, of: step.container.url) {
      return isLost ? .lost(step.container) : .unusable(step.container)
    }
    return nil
  }

  /// What came over a network may be wrong there alone, and another payload right.
  private func altered(of steps: [PayloadStep], at url: String, _ error: Failure) -> Fault? {
    guard error.blamesServer, repository.isRemote else { return nil }
    return steps.first { repository.isURL(url, of: $0.container.url) }.map { .altered($0.container) }
  }

  /// Does not choose a container again in this run.
  mutating func skip(_ container: Container) { unusable.append(container.head) }

  /// Does not choose a container again, neither in this run nor, if that can be noted, in later ones.
  mutating func exclude(_ container: Container, in staging: borrowing LockedStaging) {
    unusable.append(container.head)
    do throws(Failure) { try staging.note(unusable: container.head) } catch {}
  }

  // MARK: - Staging

  /// Fetches the component and leaves it in staging, durable and read back from disk.
  ///
  /// A container is applied while it is downloaded. The next call resumes what was interrupted.
  ///
  /// - `present`: bytes of the payload that were downloaded before.
  func stage(
    _ entry: CatalogEntry, by payload: Payload, base generation: borrowing Generation,
    in staging: borrowing LockedStaging, present: UInt64
  ) throws(Failure) {
    switch payload {
    case .staged: return
    case .whole(let url, let size):
      let file = WholeFile(url: url, size: size, digest: entry.digest, files: entry.files)
      try file.stage(in: staging, from: repository, events: events, heartbeat: heartbeat)
    case .packed, .patch, .chain:
      let steps = payload.steps(to: entry)
      var mayBeTorn = present > 0
      var mayBeAltered = repository.isRemote
      while true {
        do throws(Failure) { return try apply(steps, of: entry, base: generation, in: staging) } catch {
          let isRepeated = mayBeTorn || mayBeAltered && !Stager.isOfSigned(error)
          guard error.disposition == .contentRejected, isRepeated || repository.leaveServer(because: error)
          else { throw error }
          mayBeTorn = false
          // The next server may send what is wrong once, too.
          mayBeAltered = !isRepeated
          let url = steps[steps.count - 1].container.url
          events.publish(.notice(present > 0 ? .startedAgain(url: url) : .downloadedAgain(url: url)))
          try forget(entry, by: payload, in: staging)
        }
      }
    }
  }

  /// All of the container came as it was signed, and makes another file than it should.
  private static func isOfSigned(_ error: Failure) -> Bool {
    if case .wrongDigest = error { true } else { !error.blamesServer }
  }

  /// Removes everything that staging holds of a component that should come as `payload`.
  func forget(_ entry: CatalogEntry, by payload: Payload, in staging: borrowing LockedStaging)
    throws(Failure)
  {
    try staging.remove(entry.digest)
    for step in payload.steps(to: entry) { try staging.remove(step.target.digest) }
  }

  private func apply(
    _ steps: [PayloadStep], of entry: CatalogEntry, base generation: borrowing Generation,
    in staging: borrowing LockedStaging
  ) throws(Failure) {
    let next = try nextStep(of: steps, to: entry, in: staging.reading)
    for (index, step) in steps.enumerated() {
      if index >= next {
        let application = ContainerApplication(
          // What comes in between is read from its front to its end.
          step, files: isTree(step, of: steps, to: entry) ? entry.files : nil, memory: memory,
          repository: repository, events: events, heartbeat: heartbeat)
        try application.run(base: generation, in: staging)
      }
      // Also where an earlier process made the file, and ended before this.
      if case .made(let before) = step.base { try staging.remove(before.digest) }
      events.advance(by: step.container.size)
    }
  }
}
