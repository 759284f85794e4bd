internal import Catalog
internal import DeltaApply
internal import Platform
internal import Store

/// The space that an update in place takes at the worst moment, once all of its downloads are stored.
///
/// Exact sums over what is written and given back, in the order in which that happens; in bytes, as the file system rounds
/// them.
struct InPlaceSpace: Equatable {
  private let space: Space
  /// Above what is taken when the downloads are stored; below zero where more was given back.
  private var taken: Int64
  private(set) var peak: UInt64 = 0

  init(_ space: Space) {
    self.space = space
    taken = 0
    // The directories, manifests and catalogs of the generation without what changes, and of the new one; the conversion.
    take(space.block * 40)
  }

  /// A component stays as it is, in both generations.
  mutating func keep() { take(2 * space.block) }

  /// The file of a component goes.
  mutating func giveBack(_ size: UInt64) { taken = with(-Int64(clamping: space.allocated(size))) }

  /// A file is there already, and stays.
  mutating func keepStaged() { take(space.block) }

  /// A container is applied, and given back with what it is applied to.
  mutating func apply(_ step: PayloadStep, reads: LastReads) {
    let both = reads.peak(interval: UpdateLimits.checkpointInterval) { space.allocated($0) }
    apply(step, with: both - space.allocated(step.base.size))
  }

  /// The same before the container is there, as if each section read what it replaces.
  mutating func estimate(_ step: PayloadStep) {
    apply(step, with: min(space.allocated(step.target.size), UpdateLimits.section))
  }

  /// - `bytes`: what the new file and the old one take at the worst moment, more than the old one alone.
  private mutating func apply(_ step: PayloadStep, with bytes: UInt64) {
    // The checkpoint, and the directory that the new file is linked to.
    let temporary = space.allocated(CheckpointFile.size) + space.block
    peak = max(peak, UInt64(clamping: with(Int64(clamping: bytes.saturatingSum(temporary)))))
    giveBack(step.base.size)
    giveBack(step.container.size)
    take(space.allocated(step.target.size).saturatingSum(space.block))
  }

  private mutating func take(_ bytes: UInt64) {
    taken = with(Int64(clamping: bytes))
    peak = max(peak, UInt64(clamping: taken))
  }

  /// What is taken with `bytes` more, or less; sizes in a catalog can overflow when they are added.
  private func with(_ bytes: Int64) -> Int64 {
    let (sum, isOver) = taken.addingReportingOverflow(bytes)
    return isOver ? (bytes < 0 ? .min : .max) : sum
  }
}
