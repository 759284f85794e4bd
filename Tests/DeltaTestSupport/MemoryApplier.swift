package import Crypto
package import DeltaApply

/// Applies a patch with both files in memory.
package struct MemoryApplier {
  package var old: [UInt8]
  /// The bytes of the patch that are handed over at a time.
  package var piece = 1000
  package var memoryLimit: UInt64 = 64 << 20
  /// The most bytes that were written at a time.
  package private(set) var largestWrite = 0

  package init(old: [UInt8]) { self.old = old }

  /// The new file, or its part behind a restart point.
  package mutating func apply(
    _ patch: [UInt8], expectedHead: Digest, from point: RestartPoint? = nil
  ) throws(DeltaError) -> [UInt8] {
    let head = try PatchHead(patch.span.bytes, expected: expectedHead)
    let begin = point ?? RestartPoint.first(of: head)
    var applier = try Applier(head, from: begin, memoryLimit: memoryLimit)
    var result: [UInt8] = []
    var largest = 0
    var offset = Int(begin.containerOffset)
    let old = old
    while offset < patch.count {
      let end = min(offset + piece, patch.count)
      try applier.consume(patch.span.bytes.extracting(offset..<end)) { (buffer, offset) throws(DeltaError) in
        MemoryApplier.copy(old, from: Int(offset), to: &buffer)
      } write: { (bytes) throws(DeltaError) in
        largest = max(largest, bytes.byteCount)
        for index in 0..<bytes.byteCount {
          result.append(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
        }
      }
      offset = end
    }
    try applier.finish()
    largestWrite = largest
    return result
  }

  private static func copy(_ old: [UInt8], from offset: Int, to buffer: inout MutableRawSpan) -> Int {
    let count = min(buffer.byteCount, old.count - offset)
    for index in 0..<count { buffer.storeBytes(of: old[offset + index], toByteOffset: index, as: UInt8.self) }
    return count
  }
}
