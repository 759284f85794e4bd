package import Crypto
package import DeltaApply
package import PatchFormat

/// Applies a patch with both files in memory.
package struct MemoryApplier {
  package var old: [UInt8]
  /// The bytes of the patch that are handed over at a time.
  package var piece = 1000
  package var memoryLimit: UInt64 = 64 << 20
  /// What is known of the new file's size.
  package var newSize: UInt64?
  /// The most bytes that were written at a time.
  package private(set) var largestWrite = 0
  /// The checkpoints that were reached, in order.
  package private(set) var points: [Checkpoint] = []

  package init(old: [UInt8]) { self.old = old }

  /// The new file.
  ///
  /// - `point`: where to resume; `partial` is the new file as far as it was made, or longer.
  package mutating func apply(
    _ patch: [UInt8], expectedHead: Digest?, from point: Checkpoint? = nil, partial: [UInt8] = []
  ) throws(DeltaError) -> [UInt8] {
    let expectation = PatchExpectation(
      head: expectedHead, containerSize: UInt64(patch.count), oldSize: UInt64(old.count), newSize: newSize)
    var applier = try Applier(expectation, from: point, memoryLimit: memoryLimit)
    let files = MemoryFiles(old: old, new: partial)
    var offset = Int(point?.containerOffset ?? 0)
    while offset < patch.count {
      let end = min(offset + piece, patch.count)
      try applier.consume(patch.span.bytes.extracting(offset..<end), files: files)
      offset = end
    }
    try applier.finish()
    largestWrite = files.largestWrite
    points = files.points
    return files.new
  }
}

/// The old and the new file in memory.
private final class MemoryFiles: PatchFiles {
  let old: [UInt8]
  var new: [UInt8]
  var largestWrite = 0
  var points: [Checkpoint] = []

  init(old: [UInt8], new: [UInt8]) {
    self.old = old
    self.new = new
  }

  func readOld(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    MemoryFiles.copy(old, from: Int(offset), to: &buffer)
  }

  func readNew(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    MemoryFiles.copy(new, from: Int(offset), to: &buffer)
  }

  func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError) {
    largestWrite = max(largestWrite, bytes.byteCount)
    let end = Int(offset) + bytes.byteCount
    if new.count < end { new += [UInt8](repeating: 0, count: end - new.count) }
    bytes.withUnsafeBytes { bytes in
      new.withUnsafeMutableBytes { $0[Int(offset)..<end].copyBytes(from: bytes) }
    }
  }

  func reached(_ point: Checkpoint) { points.append(point) }

  private static func copy(_ file: [UInt8], from offset: Int, to buffer: inout MutableRawSpan) -> Int {
    let count = max(0, min(buffer.byteCount, file.count - offset))
    guard count > 0 else { return 0 }
    buffer.withUnsafeMutableBytes { room in
      file.withUnsafeBytes { file in room.copyBytes(from: file[offset..<offset + count]) }
    }
    return count
  }
}
