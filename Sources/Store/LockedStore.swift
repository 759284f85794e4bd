package import MapModel
package import Platform

/// A store that this process alone changes, for as long as the value lives.
package struct LockedStore: ~Copyable {
  /// The same store, to read.
  package let reading: Store
  package let staging: LockedStaging

  /// Takes the lock, makes the directories where they are missing, and removes what an interrupted run has left.
  ///
  /// A store that a newer program has written is refused, before anything in it changes.
  package init(opening path: String) throws(Failure) {
    try LockedStore.makeDirectories(path)
    let root = try LockedStore.lock(path)
    // Its lock is what keeps a newer program from writing to it now.
    try StoreFormat.note(in: root)
    let store = try Store(locked: root)
    for error in LockedStore.removeLeftovers(store.root, generations: store.generations) {
      // Nothing at all could be changed.
      guard error.errno != .readOnly else { throw error }
      LockedStore.note(error)
    }
    try LockedStore.settleStandby(store.root)
    let staging = try store.root.openDirectory("staging")
    self.staging = LockedStaging(staging)
    reading = store
  }

  private static func lock(_ path: String) throws(Failure) -> Directory {
    do throws(Failure) {
      let root = try Directory(opening: path)
      try root.lock(.exclusive)
      return root
    } catch { throw error.errno == .wouldBlock ? .busy(path: path) : error }
  }

  private static func makeDirectories(_ path: String) throws(Failure) {
    let root = try Directory(making: path)
    _ = try StoreFormat.check(root)
    // A store is one as soon as it has generations: what else a reader opens is there before.
    try root.makeDirectory(replacing: "staging")
    try root.makeDirectory("generations")
  }

  // MARK: - Generations

  /// Begins the next generation.
  ///
  /// Numbers are never used again while a reader or an index can have seen them.
  package func beginGeneration(
    _ release: CatalogedRelease, after predecessor: Predecessor = .current
  ) throws(Failure) -> GenerationBuilder {
    try GenerationBuilder(
      in: self, number: try freeNumber(), release: release, previous: try previousNumber(predecessor))
  }

  func previousNumber(_ predecessor: Predecessor) throws(Failure) -> UInt64 {
    switch predecessor {
    case .current: try reading.currentNumber() ?? 0
    case .generation(let number): number
    case .nowhere: 0
    case .replacingCurrent: try reading.previousNumber() ?? 0
    }
  }

  /// Where a rollback goes from a new generation.
  package enum Predecessor {
    /// To the current one, if there is one.
    case current
    /// To the one with this number.
    case generation(UInt64)
    /// Nowhere.
    case nowhere
    /// To where it goes from the current one, which the new one replaces.
    case replacingCurrent
  }

  /// The next number that nothing in `generations` uses, not even a leftover that could not be removed.
  private func freeNumber() throws(Failure) -> UInt64 {
    var last = try reading.currentNumber() ?? 0
    try reading.forEachGeneration { if $0 < 1 << 59 { last = max(last, $0) } }
    while true {
      last += 1
      let number = last
      var isTaken = false
      for name in ["\(number)", "\(number).new", "\(number).old"]
      where try reading.generations.status(of: name) != nil {
        isTaken = true
      }
      if !isTaken { return number }
    }
  }

  /// Makes `current.new`, the link that `switchCurrent` renames.
  func makeLink(to generation: UInt64) throws(Failure) {
    try reading.root.removeTree("current.new")
    try reading.root.makeSymbolicLink("current.new", to: "generations/\(generation)")
  }

  private func hasLink(to generation: UInt64) throws(Failure) -> Bool {
    do throws(Failure) {
      return try reading.root.readSymbolicLink("current.new") == "generations/\(generation)"
    } catch {
      guard error.errno == .invalid else { throw error }
      return false
    }
  }

  /// Makes `generation` the one that readers see.
  ///
  /// The one instant at which old becomes new.
  ///
  /// 1. Everything that the generation consists of is durable, and so is `current.new`, which points to it
  ///    (`GenerationBuilder.finish`; for an older generation only the link is missing).
  /// 2. `current.new` is renamed over `current`.
  /// 3. The root directory is synchronized: the rename itself survives power loss.
  package func switchCurrent(to generation: UInt64) throws(Failure) {
    if try !hasLink(to: generation) {
      try makeLink(to: generation)
      // Not an fsync of the directory: on btrfs that may make the new name durable without what the link holds.
      try reading.root.synchronizeFileSystem()
    }
    try reading.root.rename("current.new", to: "current")
    try reading.root.synchronize()
  }

  /// Writes a file in the root anew: power loss leaves the old one or the new one.
  ///
  /// Whatever else has its name goes.
  func replace(_ name: String, with bytes: [UInt8]) throws(Failure) {
    if let status = try reading.root.status(of: name), status.kind != .file {
      try reading.root.removeTree(name)
    }
    try reading.root.replace(name, with: bytes)
  }

  /// Removes the link to the current generation, which cannot be used any more.
  package func forgetCurrent() throws(Failure) {
    guard try reading.root.status(of: "current") != nil else { return }
    try reading.root.remove("current")
    try reading.root.synchronize()
  }
}
