internal import Catalog
internal import Crypto
internal import DeltaApply
internal import PatchFormat
internal import Platform
internal import Store

/// What the files of an update in place report while they are consumed.
final class Consumption {
  /// The least free space that was seen before a part of a file was given back, in bytes.
  private(set) var leastAvailable: UInt64 = .max

  func note(_ space: Space) { leastAvailable = min(leastAvailable, space.available) }
}

/// The old file of an update in place: what nothing reads any more goes back to the file system.
struct ConsumedFile: ~Copyable {
  private let file: File
  private let reads: LastReads
  /// Bytes of the new file that were made when parts were given back last; nil before that.
  private var before: UInt64?
  private let consumption: Consumption

  /// - `file`: open for writing.
  init(_ file: consuming File, reads: LastReads, for consumption: Consumption) {
    self.consumption = consumption
    self.file = file
    self.reads = reads
  }

  /// The file that the container is applied to; nil if there is none, or if something else still has it.
  static func open(
    _ container: StoredContainer, base generation: borrowing Generation?, in staging: borrowing LockedStaging,
    for consumption: Consumption
  ) throws(UpdateError) -> ConsumedFile? {
    guard let file = try openFile(container.step.base, generation, staging) else { return nil }
    guard try wrap(file: file.links()) == 1 else { return nil }
    let block = try wrap(store: staging.space()).block
    return ConsumedFile(
      file, reads: try container.reads(in: staging.reading, block: block), for: consumption)
  }

  private static func openFile(
    _ base: PayloadStep.Base, _ generation: borrowing Generation?, _ staging: borrowing LockedStaging
  ) throws(UpdateError) -> File? {
    switch base {
    case .nothing: return nil
    case .made(let before): return try wrap(store: staging.openConsumed(before.digest))
    case .installed(let base):
      switch generation {
      case .some(let generation): return try wrap(store: generation.openConsumed(base))
      case .none: return nil
      }
    }
  }

  /// Gives back what nothing reads from `completed` bytes of the new file on.
  mutating func giveBack(at completed: UInt64) throws(StoreError) {
    do throws(FileError) {
      consumption.note(try file.space())
      try reads.forEachFreed(at: completed, since: before) { (extent) throws(FileError) in
        try file.punch(from: extent.start, count: extent.size)
      }
    } catch { throw .file(error) }
    before = completed
  }
}
