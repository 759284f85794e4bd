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
    while bitCount >= 8 { appendByte() }
  }

  /// Appends zeros up to the next byte.
  mutating func align() {
    guard bitCount > 0 else { return }
    bitCount = 8
    appendByte()
  }

  private mutating func appendByte() {
    bytes[count] = UInt8(truncatingIfNeeded: bits)
    count += 1
    bits >>= 8
    bitCount -= 8
  }

  /// Moves bytes to `output`, from an offset on; returns how many.
  mutating func take(into output: inout MutableRawSpan, at offset: Int) -> Int {
    let moved = min(count - taken, output.byteCount - offset)
    for index in 0..<moved {
      output.storeBytes(of: bytes[taken + index], toByteOffset: offset + index, as: UInt8.self)
    }
    taken += moved
    if taken == count {
      taken = 0
      count = 0
    }
    return moved
  }
}
