/// Collects bits, the first one lowest, until their bytes are taken.
struct BitWriter: ~Copyable {
  private var bytes: [UInt8]
  /// The bytes that are complete, and how many of them were taken.
  private var count = 0
  private var taken = 0
  private var bits: UInt64 = 0
  private var bitCount = 0

  /// - `capacity`: the most bytes that wait.
  init(capacity: Int) { bytes = [UInt8](repeating: 0, count: capacity) }

  mutating func reset() {
    count = 0
    taken = 0
    bits = 0
    bitCount = 0
  }

  /// How many bytes there is room for, except those that `append` has not completed.
  var room: Int { bytes.count - count - 8 }

  var isEmpty: Bool { taken == count }

  /// Appends up to 32 bits.
  mutating func append(_ value: UInt32, count: Int) {
    bits |= UInt64(value) << UInt64(bitCount)
    bitCount += count
    completeBytes()
  }

  /// Appends zeros up to the next byte.
  mutating func align() {
    bitCount = (bitCount + 7) & ~7
    completeBytes()
  }

  /// Stores all whole bytes.
  private mutating func completeBytes() {
    let (bits, offset) = (self.bits.littleEndian, count)
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: bits, toByteOffset: offset, as: UInt64.self) }
    let complete = bitCount >> 3
    count += complete
    self.bits >>= UInt64(8 * complete)
    bitCount &= 7
  }

  /// Moves bytes to `output`, from an offset on; returns how many.
  mutating func take(into output: inout MutableRawSpan, at offset: Int) -> Int {
    let moved = min(count - taken, output.byteCount - offset)
    let range = taken..<taken + moved
    output.withUnsafeMutableBytes { output in
      bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: output[offset...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range]))
      }
    }
    taken += moved
    if taken == count {
      taken = 0
      count = 0
    }
    return moved
  }
}
