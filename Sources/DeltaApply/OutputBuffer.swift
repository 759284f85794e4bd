internal import PatchFormat

/// Collects bytes of the new file, or of the content of a stream, so that they are passed on in large pieces.
struct OutputBuffer: ~Copyable {
  private var buffer: [UInt8]
  /// The collected bytes end here; they begin at `OutputBuffer.tail`.
  private var end = OutputBuffer.tail

  /// In bytes.
  init(capacity: Int) { buffer = [UInt8](repeating: 0, count: OutputBuffer.tail + capacity) }

  /// How many bytes can be appended before the collected ones have to be passed on.
  var room: Int { buffer.count - end }

  /// How many bytes were collected.
  var count: Int { end - OutputBuffer.tail }

  /// The collected bytes.
  var bytes: RawSpan {
    @_lifetime(borrow self)
    borrowing get { buffer.span.bytes.extracting(OutputBuffer.tail..<end) }
  }

  /// Appends bytes, which must fit.
  mutating func append(_ bytes: Span<UInt8>) {
    let start = end
    var span = buffer.mutableSpan
    span.replace(from: start, with: bytes)
    end += bytes.count
  }

  /// Appends bytes of a window, which must be loaded and fit.
  mutating func append(_ window: borrowing SourceWindow, from offset: UInt64, count: Int) {
    append(window.bytes(from: offset, count: count))
  }

  /// Adds to the last `count` bytes the differences of a block; false if its columns are contradictory.
  mutating func addDifferences(
    _ count: Int, of columns: inout BlockColumns, in block: Span<UInt8>
  ) -> Bool {
    let range = end - count..<end
    var span = buffer.mutableSpan
    return columns.addDifferences(to: &span, range: range, in: block)
  }

  /// Appends a double, which must fit.
  mutating func append(_ double: Double) {
    let start = end
    var span = buffer.mutableSpan
    var bytes = span.mutableBytes
    bytes.storeBytes(of: double.bitPattern.littleEndian, toByteOffset: start, as: UInt64.self)
    end += 8
  }

  /// The double that ends `distance` doubles before the end, 0 to 2.
  func double(before distance: Int) -> Double {
    let bits: UInt64? = buffer.span.bytes.integer(at: end - 8 * (distance + 1))
    return Double(bitPattern: bits ?? 0)
  }

  /// Discards the collected bytes, which were passed on; `double(before:)` can still read the last ones.
  mutating func removeAll() {
    for index in 0..<OutputBuffer.tail { buffer[index] = buffer[end - OutputBuffer.tail + index] }
    end = OutputBuffer.tail
  }

  /// Resets the bytes before a section to zeros; none are collected.
  mutating func startSection() { for index in 0..<OutputBuffer.tail { buffer[index] = 0 } }

  /// Bytes before the collected ones that `double(before:)` can read.
  private static var tail: Int { 32 }
}

extension MutableSpan where Element == UInt8 {
  /// Copies `bytes`, which must fit, over those from `start`.
  @_lifetime(self: copy self)
  fileprivate mutating func replace(from start: Int, with bytes: Span<UInt8>) {
    // As raw bytes: Embedded Swift would copy the elements one by one.
    withUnsafeMutableBytes { target in
      bytes.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(rebasing: target[start..<start + source.count]).copyMemory(from: source)
      }
    }
  }
}
