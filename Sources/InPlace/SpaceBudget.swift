internal import Catalog
package import DeltaApply
package import Platform
package import Store

/// The space that an update in place takes at the worst moment, once all of its downloads are stored.
///
/// Exact sums over what is written and given back, in the order in which that happens; in bytes, as the file system rounds
/// them. What is given back is what the file system says of a file: nothing as long as that has another name.
package struct SpaceBudget {
  private let space: Space
  /// What may be taken.
  private let available: UInt64
  private let names: Names
  /// Above what is taken when the downloads are stored; below zero where more was given back.
  private var taken: Int64 = 0
  package private(set) var peak: UInt64 = 0
  /// Components that are made beside their old files, and where those are.
  package private(set) var beside = 0
  package private(set) var consuming = 0
  /// Old files of which parts are given back.
  package private(set) var punched = 0
  /// Old files that have other names, and so give nothing back.
  package private(set) var linked = 0

  /// Which names of an old file keep its bytes, besides its own.
  package enum Names {
    case all
    /// None: those that there are go with older generations.
    case none
  }

  /// - `available`: bytes of the file system that the update may use.
  package init(_ space: Space, available: UInt64, names: Names = .all) {
    self.space = space
    self.available = available
    self.names = names
    // The directories, manifests and catalogs of the generation without what changes, and of the new one; the journal.
    take(space.block * 40)
  }

  /// Adds what becomes of a component of `generation`.
  package mutating func add(
    _ entry: JournalEntry, from generation: borrowing Generation
  ) throws(Failure) {
    add(
      entry,
      replacing: try entry.old.flatMap { (old) throws(Failure) in try generation.status(of: old) })
  }

  /// - `old`: what the file system says of the old file; nil if there is none.
  mutating func add(_ entry: JournalEntry, replacing old: Directory.Status?) {
    switch entry.change {
    // In both generations.
    case .keep: take(2 * space.block)
    case .remove: remove(old)
    case .make where entry.steps.isEmpty:
      take(space.block)
      remove(old)
    case .make: make(entry, replacing: old)
    }
  }

  private mutating func remove(_ old: Directory.Status?) {
    guard let old else { return }
    if isAlone(old) { giveBack(old.occupied) } else { linked += 1 }
  }

  private func isAlone(_ old: Directory.Status) -> Bool { old.links == 1 || names == .none }

  private mutating func make(_ entry: JournalEntry, replacing old: Directory.Status?) {
    let need = SpaceBudget.need(of: entry.steps, in: space)
    if let old, isAlone(old), with(Int64(clamping: need)) > Int64(clamping: available) {
      consuming += 1
      if entry.steps.contains(where: { $0.base != .nothing }) { punched += 1 }
      // What a sparse file does not have, it does not give back either.
      let missing = space.allocated(old.size)
      reach(entry.extra.saturatingSum(missing - min(missing, old.occupied)))
    } else {
      beside += 1
      reach(need)
    }
    for step in entry.steps { giveBack(space.allocated(step.container.size)) }
    remove(old)
    take(space.allocated(entry.new?.size ?? 0).saturatingSum(space.block))
  }

  /// Bytes that making a component takes beside its old file at the worst moment.
  static func need(of steps: [PayloadStep], in space: Space) -> UInt64 {
    var (before, worst) = (0 as UInt64, 0 as UInt64)
    for step in steps {
      let made = space.allocated(step.target.size)
      worst = max(worst, before.saturatingSum(made))
      before = made
    }
    // A block more for the directory that it is linked to.
    return worst.saturatingSum(space.block)
  }

  private mutating func take(_ bytes: UInt64) {
    taken = with(Int64(clamping: bytes))
    peak = max(peak, UInt64(clamping: taken))
  }

  private mutating func giveBack(_ bytes: UInt64) { taken = with(-Int64(clamping: bytes)) }

  /// So much is taken for a moment.
  private mutating func reach(_ bytes: UInt64) {
    peak = max(peak, UInt64(clamping: with(Int64(clamping: bytes))))
  }

  /// What is taken with `bytes` more, or less.
  private func with(_ bytes: Int64) -> Int64 { taken.saturatingSum(bytes) }
}

/// The space that making a component takes where its old file is consumed on the way, in bytes above that file.
package struct ConsumingPeak {
  private let space: Space
  /// Above the old file, and the stored containers.
  private var taken: Int64
  package private(set) var bytes: UInt64 = 0

  /// - `given`: bytes of an old file that goes first, as nothing is applied to it.
  package init(_ space: Space, given: UInt64 = 0) {
    self.space = space
    taken = -Int64(clamping: space.allocated(given))
  }

  /// - `reads`: what the step reads; nil before its container is there, which gives an estimate.
  package mutating func add(_ step: PayloadStep, reads: LastReads?) {
    let (base, target) = (space.allocated(step.base.size), space.allocated(step.target.size))
    let both =
      reads?.peak(interval: InPlaceLimits.checkpointInterval) { space.allocated($0) }
      ?? base.saturatingSum(min(target, InPlaceLimits.assumedSection))
    bytes = max(bytes, UInt64(clamping: taken.saturatingSum(Int64(clamping: both - min(base, both)))))
    for given in [base, space.allocated(step.container.size)] {
      taken = taken.saturatingSum(-Int64(clamping: given))
    }
    taken = taken.saturatingSum(Int64(clamping: target))
  }
}
