/// The bytes of a tar archive on their way to libarchive.
///
/// A class, since C holds on to it from one call to the next.
final class TarInput {
  private let source: any ByteSource
  private let limit: UInt64
  /// Bytes so far.
  private(set) var position: UInt64 = 0
  /// The position after the last byte that is not zero.
  private(set) var lastContent: UInt64 = 0
  /// Why the last call read nothing.
  private(set) var failure: UnpackingError?

  /// - `limit`: bytes that are read at most; padding and headers count, so that none of them can be without end.
  init(_ source: any ByteSource, limit: UInt64) {
    self.source = source
    self.limit = limit
  }

  /// Bytes of the archive itself, before decompression.
  var packedPosition: UInt64 { source.position }

  /// The next bytes, which stay until the next call; none at the end, and nil if they cannot be read.
  func read() -> UnsafeRawBufferPointer? {
    do throws(UnpackingError) {
      let bytes = try source.next()
      if let last = bytes.lastIndex(where: { $0 != 0 }) { lastContent = position + UInt64(last) + 1 }
      position += UInt64(bytes.count)
      guard position <= limit else { throw .tooLarge }
      return bytes
    } catch {
      failure = error
      return nil
    }
  }

  /// Reads what follows the end mark at `end`, which must be zeros.
  func finish(end: UInt64) throws(UnpackingError) {
    while let bytes = read(), !bytes.isEmpty {}
    if let failure { throw failure }
    guard lastContent <= end else { throw .damaged(cause: "bytes after the end mark of the tar archive") }
  }
}
