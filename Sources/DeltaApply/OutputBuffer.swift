/// Collects bytes of the new file, so that it is written in large pieces.
struct OutputBuffer: ~Copyable {
  private var buffer: [UInt8]
  /// The bytes in the buffer that are not written yet end here; they begin at `OutputBuffer.tail`.
  private var end = OutputBuffer.tail
  /// Where the next byte of the new file stands.
  private(set) var position: UInt64

  init(capacity: Int, position: UInt64) {
    buffer = [UInt8](repeating: 0, count: OutputBuffer.tail + capacity)
    self.position = position
  }

  /// The bytes that can be appended before something has to be written.
  var room: Int { buffer.count - end }

  /// Where the first byte stands that is not written yet.
  var written: UInt64 { position - UInt64(end - OutputBuffer.tail) }

  /// Appends bytes, which must fit.
  mutating func append(_ bytes: Span<UInt8>) {
    let start = end
    var span = buffer.mutableSpan
    span.replace(from: start, with: bytes)
    advance(by: bytes.count)
  }

  /// Appends bytes of a window, which must be there and fit.
  mutating func append(_ window: borrowing SourceWindow, from offset: UInt64, _ count: Int) {
    append(window.bytes(from: offset, count))
  }

  /// The same, and adds to them what the streams of a block say; false if those are contradictory.
  mutating func append(
    _ window: borrowing SourceWindow, from offset: UInt64, _ count: Int, adding streams: inout BlockStreams,
    in block: Span<UInt8>
  ) -> Bool {
    let start = end
    var span = buffer.mutableSpan
    span.replace(from: start, with: window.bytes(from: offset, count))
    guard streams.addDifferences(to: &span, start..<start + count, in: block) else { return false }
    advance(by: count)
    return true
  }

  /// Appends a double, which must fit.
  mutating func append(_ double: Double) {
    for byte in 0..<8 as Range<UInt64> {
      buffer[end + Int(byte)] = UInt8(truncatingIfNeeded: double.bitPattern >> (8 * byte))
    }
    advance(by: 8)
  }

  /// The double that ends `distance` doubles before the end, 0 to 2.
  func double(before distance: Int) -> Double {
    let bits: UInt64? = buffer.span.bytes.integer(at: end - 8 * (distance + 1))
    return Double(bitPattern: bits ?? 0)
  }

  /// Writes what was collected.
  mutating func flush<Files: PatchFiles & ~Copyable>(_ files: inout Files) throws(DeltaError) {
    guard end > OutputBuffer.tail else { return }
    try files.write(buffer.span.bytes.extracting(OutputBuffer.tail..<end), at: written)
    // The last bytes stay in front.
    for index in 0..<OutputBuffer.tail { buffer[index] = buffer[end - OutputBuffer.tail + index] }
    end = OutputBuffer.tail
  }

  /// Forgets the bytes before, as a restart point asks for; there are none that are not written.
  mutating func startSection() { for index in 0..<OutputBuffer.tail { buffer[index] = 0 } }

  private mutating func advance(by count: Int) {
    end += count
    position += UInt64(count)
  }

  /// Bytes before the collected ones that `double(before:)` looks at.
  private static var tail: Int { 32 }
}

extension MutableSpan where Element == UInt8 {
  /// Copies `bytes`, which must fit, over those from `start`.
  @_lifetime(self: copy self)
  fileprivate mutating func replace(from start: Int, with bytes: Span<UInt8>) {
    withUnsafeMutableBufferPointer { target in
      bytes.withUnsafeBufferPointer { source in
        let place = UnsafeMutableBufferPointer(rebasing: target[start..<start + source.count])
        _ = place.update(fromContentsOf: source)
      }
    }
  }
}
