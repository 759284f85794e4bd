internal import Catalog
internal import DeltaApply
internal import PatchFormat
package import Platform
internal import Store

/// Making one component out of what is stored.
extension InPlaceUpdate {
  /// What making a component may take.
  package struct Limits {
    /// Bytes of memory for a container.
    let memory: UInt64
    /// Bytes that stay free on the file system.
    let reserve: UInt64

    package init(memory: UInt64, reserve: UInt64) {
      self.memory = memory
      self.reserve = reserve
    }
  }

  /// Makes the component that is next, durably, and then gives up what it replaces; one that is there is durable already.
  ///
  /// After an error, what it is made from is still there, as far as the progress says.
  package mutating func make(
    _ entry: JournalEntry, limits: Limits, shouldStop: () -> Bool
  ) throws(Failure) {
    guard let new = entry.new else { return }
    if try !isComplete(Intermediate(digest: new.digest, size: new.size)) {
      let start = try start(entry, limits: limits, shouldStop: shouldStop)
      try apply(entry, from: start, limits: limits, shouldStop: shouldStop)
      try files.synchronizeNames()
    }
    try settle(entry, as: .made)
  }

  /// The component is made, durably, or lost: what it was to be made from goes.
  package func settle(_ entry: JournalEntry, as step: Progress.Step) throws(Failure) {
    try log.add(step)
    try removeRemains(of: entry)
  }

  /// Removes what a settled component leaves; all of it may be gone.
  package func removeRemains(of entry: JournalEntry) throws(Failure) {
    if let old = entry.old, entry.change != .keep { try removeOld(old) }
    for step in entry.steps { try removeStored(step) }
  }

  private func removeStored(_ step: PayloadStep) throws(Failure) {
    try files.removeContainer(step.container.head)
    if case .made(let before) = step.base { try files.remove(before.digest) }
  }

  private func isComplete(_ file: Intermediate) throws(Failure) -> Bool {
    try files.reading.isComplete(file.digest, size: file.size)
  }

  /// Where making the component begins or resumes.
  private func start(
    _ entry: JournalEntry, limits: Limits, shouldStop: () -> Bool
  ) throws(Failure) -> Progress.Making {
    guard let first = entry.steps.first else { throw .payloadLost(url: nil) }
    let before = progress.making
    if before == nil, case .installed(let old) = first.base, try !isIntact(old, shouldStop: shouldStop) {
      throw .baseLost
    }
    // What was begun beside the old file continues in its place if there is less room by now.
    guard before == nil || before?.method == .beside && before?.step == 0 else {
      return before ?? .init(.beside)
    }
    let making = Progress.Making(
      try method(for: entry, reserve: limits.reserve), checkpoint: before?.checkpoint)
    if making != before { try log.add(.making(making)) }
    return making
  }

  /// Beside the old file if there is room; else where that is, unless something else has it, too.
  private func method(for entry: JournalEntry, reserve: UInt64) throws(Failure) -> Progress.Method {
    guard let old = entry.old, let first = entry.steps.first else { return .beside }
    let (space, reserved) = (try files.space(), try files.reading.occupied(first.target.digest))
    let available = space.available.saturatingSum(reserved)
    guard SpaceBudget.need(of: entry.steps, in: space) > available - min(available, reserve),
      try links(of: old) == 1
    else { return .beside }
    if first.base == .nothing { return .consuming }
    return try files.canPunch() ? .consuming : .beside
  }

  private func links(of old: InstalledComponent) throws(Failure) -> UInt64 {
    try base.status(of: old)?.links ?? 0
  }

  // MARK: - Containers

  private mutating func apply(
    _ entry: JournalEntry, from start: Progress.Making, limits: Limits, shouldStop: () -> Bool
  ) throws(Failure) {
    var making = start
    while making.step < entry.steps.count {
      let step = entry.steps[making.step]
      if try !isComplete(step.target) {
        if case .made(let before) = step.base, making.checkpoint == nil, try !isComplete(before) {
          // What the old file is still there for.
          guard making.method == .beside else { throw .baseLost }
          making = Progress.Making(.beside)
          continue
        }
        try apply(step, of: entry, making, memory: limits.memory, shouldStop: shouldStop)
      }
      if making.step + 1 == entry.steps.count { return }
      making = Progress.Making(making.method, step: making.step + 1)
      try files.synchronizeNames()
      try log.add(.making(making))
      try removeStored(step)
    }
  }
}
