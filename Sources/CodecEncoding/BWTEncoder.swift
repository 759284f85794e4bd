internal import Codec

/// Encodes what `BWTDecoder` decodes.
package struct BWTEncoder: ~Copyable {
  private var model = SymbolModel()
  private var coder = RangeEncoder()

  package init() {}

  /// The bytes of a chunk, sorted by what follows them.
  package struct Column {
    let bytes: [UInt8]
    /// The row of the first byte of the chunk.
    package let origin: Int

    /// - `suffixes`: the offsets in `chunk` in the order of what begins there.
    package init(_ chunk: Span<UInt8>, suffixes: Span<Int32>) {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(chunk.count)
      var origin = 0
      // Row 0 is that of the end, before which the last byte is.
      if !chunk.isEmpty { bytes.append(chunk[chunk.count - 1]) }
      for row in 0..<suffixes.count {
        let offset = Int(suffixes[row])
        if offset == 0 { origin = row + 1 } else { bytes.append(chunk[offset - 1]) }
      }
      self.bytes = bytes
      self.origin = origin
    }
  }

  /// Appends the symbols of a chunk of 1 to `BWTDecoder.maximumChunk` bytes; what precedes them is the caller's.
  package mutating func append(_ chunk: Column, to output: inout [UInt8]) {
    coder.start()
    model.startChunk()
    for byte in chunk.bytes {
      var isComplete = false
      while !isComplete {
        let bit = model.bit(of: byte)
        coder.encode(bit, model.predict(), to: &output)
        isComplete = model.update(bit) != nil
      }
    }
    coder.finish(&output)
  }
}

/// Encodes what `RangeDecoder` decodes.
private struct RangeEncoder {
  private var low: UInt64 = 0
  private var range: UInt32 = .max
  /// The last byte that a carry may still change, before those of 0xff; nil for the first one, which is always 0.
  private var cached: UInt8?
  /// How many bytes of 0xff follow it.
  private var pending = 0

  mutating func start() { self = RangeEncoder() }

  mutating func encode(_ bit: Bool, _ probability: UInt32, to output: inout [UInt8]) {
    let bound = range >> 16 * probability
    if bit {
      range = bound
    } else {
      low += UInt64(bound)
      range -= bound
    }
    while range < 1 << 24 {
      range <<= 8
      shift(&output)
    }
  }

  mutating func finish(_ output: inout [UInt8]) {
    for _ in 0..<5 { shift(&output) }
  }

  private mutating func shift(_ output: inout [UInt8]) {
    if low < 0xff00_0000 || low > 0xffff_ffff {
      let carry = UInt8(low >> 32)
      if let cached { output.append(cached &+ carry) }
      for _ in 0..<pending { output.append(0xff &+ carry) }
      pending = 0
      cached = UInt8(truncatingIfNeeded: low >> 24)
    } else {
      pending += 1
    }
    low = (low & 0xff_ffff) << 8
  }
}
