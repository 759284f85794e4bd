package import DeltaApply
package import PatchFormat

/// An old file that is overwritten, at each checkpoint, where nothing after it reads it.
package final class ConsumedFiles: PatchFiles {
  package private(set) var old: [UInt8]
  package var new: [UInt8] = []
  /// The bytes that both files took together at the most.
  package private(set) var peak: UInt64 = 0
  /// What a power cut after each checkpoint leaves.
  package private(set) var states: [(point: Checkpoint, old: [UInt8])] = []
  private let reads: LastReads
  private var occupied: UInt64
  private var before: UInt64?

  package init(old: [UInt8], reads: LastReads) {
    self.old = old
    self.reads = reads
    occupied = UInt64(old.count)
  }

  package func apply(
    _ patch: [UInt8], _ expectation: PatchExpectation, from point: Checkpoint?
  ) throws(DeltaError) {
    var applier = try Applier(expectation, from: point, memoryLimit: 64 << 20)
    before = point?.completed
    let start = Int(point?.containerOffset ?? 0)
    try applier.consume(patch.span.bytes.extracting(start...), files: self)
    try applier.finish()
    peak = max(peak, occupied + UInt64(new.count))
  }

  package func readOld(
    into buffer: inout MutableRawSpan, at offset: UInt64
  ) throws(DeltaError) -> Int {
    ConsumedFiles.copy(old, from: Int(offset), to: &buffer)
  }

  package func readNew(
    into buffer: inout MutableRawSpan, at offset: UInt64
  ) throws(DeltaError) -> Int {
    ConsumedFiles.copy(new, from: Int(offset), to: &buffer)
  }

  package func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError) {
    let end = Int(offset) + bytes.byteCount
    if new.count < end { new += [UInt8](repeating: 0, count: end - new.count) }
    bytes.withUnsafeBytes { bytes in
      new.withUnsafeMutableBytes { $0[Int(offset)..<end].copyBytes(from: bytes) }
    }
  }

  package func reached(_ point: Checkpoint) {
    peak = max(peak, occupied + UInt64(new.count))
    reads.forEachFreed(at: point.completed, since: before) { extent in
      for index in Int(extent.start)..<Int(extent.end) { old[index] = 0xee }
      occupied -= extent.size
    }
    before = point.completed
    states.append((point, old))
  }

  private static func copy(_ file: [UInt8], from offset: Int, to buffer: inout MutableRawSpan) -> Int {
    let count = max(0, min(buffer.byteCount, file.count - offset))
    guard count > 0 else { return 0 }
    buffer.withUnsafeMutableBytes { room in
      file.withUnsafeBytes { file in room.copyBytes(from: file[offset..<offset + count]) }
    }
    return count
  }
}
