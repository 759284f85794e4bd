internal import DeltaApply
internal import PatchFormat
internal import Platform

/// The old file of a component that is made in its place: what nothing reads any more goes back to the file system.
struct ConsumedFile: ~Copyable {
  private let file: File
  private let reads: LastReads
  /// Bytes of the new file that were made when parts were given back last; nil before that.
  private var before: UInt64?
  /// The least free space that was seen before a part was given back, in bytes.
  private(set) var leastAvailable: UInt64 = .max

  /// - `file`: open for writing.
  init(_ file: consuming File, reads: LastReads) {
    self.file = file
    self.reads = reads
  }

  /// Gives back what nothing reads from `completed` bytes of the new file on.
  ///
  /// As long as anything else has the file, its bytes are that one's, too, and stay.
  mutating func giveBack(at completed: UInt64) throws(Failure) {
    guard try file.links() == 1 else { return }
    leastAvailable = min(leastAvailable, try file.space().available)
    try reads.forEachFreed(at: completed, since: before) { (extent) throws(Failure) in
      try file.punch(from: extent.start, count: extent.size)
    }
    before = completed
  }
}
