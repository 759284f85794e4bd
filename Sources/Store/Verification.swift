package import Crypto
package import Platform

/// Reading files back.
package enum Verification {
  /// The file has `size` bytes and the digest.
  package static func matches(
    _ file: borrowing File, digest: Digest, size: UInt64, shouldStop: () -> Bool = { false }
  ) throws(Failure) -> Bool {
    guard try file.size() == size else { return false }
    return try self.digest(of: file, shouldStop: shouldStop) == digest
  }

  /// The digest of the whole file.
  ///
  /// - `shouldStop`: asked before each piece; true ends it with `cancelled`.
  package static func digest(of file: borrowing File, shouldStop: () -> Bool = { false }) throws(Failure)
    -> Digest
  {
    file.readSequentially()
    return try digest(shouldStop: shouldStop) { (buffer, offset) throws(Failure) in
      try file.read(into: &buffer, at: offset)
    }
  }

  /// The digest of all bytes that `read` gives.
  ///
  /// - `shouldStop`: as above.
  /// - `read`: fills the front of a buffer with the bytes from an offset; returns their count, 0 at the end.
  static func digest(
    shouldStop: () -> Bool, read: (inout MutableRawSpan, UInt64) throws(Failure) -> Int
  ) throws(Failure) -> Digest {
    var hasher: Hasher
    do throws(HasherError) { hasher = try Hasher() } catch { throw .noMemory }
    var buffer = Buffer(count: 64 << 10)
    var offset: UInt64 = 0
    while true {
      if shouldStop() { throw .cancelled }
      let count = try fill(&buffer, at: offset, by: read)
      if count == 0 { break }
      do throws(HasherError) { try hasher.update(buffer.bytes.extracting(first: count)) } catch {
        throw .noMemory
      }
      offset += UInt64(count)
    }
    do throws(HasherError) { return try hasher.finish() } catch { throw .noMemory }
  }

  private static func fill(
    _ buffer: inout Buffer, at offset: UInt64,
    by read: (inout MutableRawSpan, UInt64) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    var bytes = buffer.mutableBytes
    return try read(&bytes, offset)
  }
}
