/// A few bytes of a file, kept because copies are often close together.
struct SourceWindow: ~Copyable {
  private var buffer: [UInt8]
  private var start: UInt64 = 0
  private var count = 0

  /// In bytes.
  init(capacity: Int) { buffer = [UInt8](repeating: 0, count: capacity) }

  var capacity: Int { buffer.count }

  /// How many bytes from `offset` are loaded.
  func available(from offset: UInt64) -> Int {
    offset < start || offset - start >= UInt64(count) ? 0 : count - Int(offset - start)
  }

  /// The bytes from `offset`, which are loaded.
  @_lifetime(borrow self)
  borrowing func bytes(from offset: UInt64, count: Int) -> Span<UInt8> {
    let first = Int(offset - start)
    return buffer.span.extracting(first..<first + count)
  }

  /// Loads `wanted` bytes from `offset` if they fit, and not much more: a distant copy must not cost a whole window.
  ///
  /// `end`: of the file, after `offset`. Returns false if the file ended before; what it had is loaded.
  mutating func fill(
    from offset: UInt64, wanted: Int, end: UInt64,
    _ read: (inout MutableRawSpan) throws(DeltaError) -> Int
  ) throws(DeltaError) -> Bool {
    let aim = min(max(wanted, SourceWindow.readAhead), buffer.count)
    let length = Int(min(UInt64(aim), end - offset))
    start = offset
    count = 0
    count = try buffer.withMutableBytes(0..<length) { (bytes) throws(DeltaError) in try read(&bytes) }
    return count == length
  }

  private static var readAhead: Int { 8 << 10 }
}
