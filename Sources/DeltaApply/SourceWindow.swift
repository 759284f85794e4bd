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

  /// Loads `wanted` bytes from `offset` if they fit, and what follows in the same page: most copies are short and far apart.
  ///
  /// `end`: of the file, after `offset`. Returns false if the file ended before; what it had is loaded.
  mutating func fill(
    from offset: UInt64, wanted: Int, end: UInt64,
    _ read: (inout MutableRawSpan) throws(DeltaError) -> Int
  ) throws(DeltaError) -> Bool {
    let pageEnd = (offset + UInt64(wanted) + SourceWindow.page - 1) / SourceWindow.page * SourceWindow.page
    let length = Int(min(pageEnd - offset, UInt64(buffer.count), end - offset))
    start = offset
    count = 0
    count = try buffer.withMutableBytes(0..<length) { (bytes) throws(DeltaError) in try read(&bytes) }
    return count == length
  }

  /// What the kernel caches at a time, in bytes.
  private static var page: UInt64 { 4 << 10 }
}
