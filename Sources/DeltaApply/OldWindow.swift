/// Fills the front of a buffer from an offset of the old file; returns the byte count, less only at the file's end.
package typealias ReadOldFile = (inout MutableRawSpan, UInt64) throws(DeltaError) -> Int

/// A few bytes of the old file, kept because covers often lie close together.
struct OldWindow: ~Copyable {
  private let size: UInt64
  private var buffer: [UInt8]
  private var start: UInt64 = 0
  private var count = 0

  /// `size` is that of the old file; both are in bytes.
  init(size: UInt64, capacity: Int) {
    self.size = size
    buffer = [UInt8](repeating: 0, count: capacity)
  }

  /// Takes care that old bytes from `offset` are at hand; returns how many: at most `limit`, at least one.
  ///
  /// The caller has checked that `offset..<offset + limit` lies within the old file and is not empty.
  mutating func prepare(
    from offset: UInt64, atMost limit: Int, _ read: ReadOldFile
  ) throws(DeltaError) -> Int {
    if offset < start || offset - start >= UInt64(count) { try fill(from: offset, wanted: limit, read) }
    return min(count - Int(offset - start), limit)
  }

  /// The old bytes that `prepare` has promised.
  @_lifetime(borrow self)
  borrowing func bytes(from offset: UInt64, _ count: Int) -> Span<UInt8> {
    let first = Int(offset - start)
    return buffer.span.extracting(first..<first + count)
  }

  /// Reads `wanted` bytes if they fit, and not much more: a far cover must not cost a whole window.
  private mutating func fill(from offset: UInt64, wanted: Int, _ read: ReadOldFile) throws(DeltaError) {
    let aim = min(max(wanted, OldWindow.readAhead), buffer.count)
    let length = Int(min(UInt64(aim), size - offset))
    start = offset
    count = 0
    let found = try buffer.withMutableBytes(0..<length) { (bytes) throws(DeltaError) in
      try read(&bytes, offset)
    }
    // The file was cut since its size was compared.
    guard found == length else { throw .wrongOldFile(found: offset + UInt64(found), expected: size) }
    count = length
  }

  private static var readAhead: Int { 8 << 10 }
}
