package import Crypto
package import Platform

/// Reading files back.
package enum Verification {
  /// The file has `size` bytes and the digest.
  package static func matches(
    _ file: borrowing File, digest: Digest, size: UInt64, shouldStop: () -> Bool = { false }
  ) throws(StoreError) -> Bool {
    guard try storing({ () throws(FileError) in try file.size() }) == size else { return false }
    return try self.digest(of: file, shouldStop: shouldStop) == digest
  }

  /// The digest of the whole file.
  ///
  /// - `shouldStop`: asked before each piece; true ends it with `cancelled`.
  package static func digest(of file: borrowing File, shouldStop: () -> Bool = { false }) throws(StoreError)
    -> Digest
  {
    var hasher = try hash(file, algorithm: .sha256, shouldStop: shouldStop)
    do throws(HasherError) { return try hasher.finish() } catch { throw .noMemory }
  }

  /// The digest of the whole file, by any algorithm that metadata may list.
  ///
  /// - `shouldStop`: as above.
  package static func digest(
    of file: borrowing File, by algorithm: HashAlgorithm, shouldStop: () -> Bool = { false }
  ) throws(StoreError) -> [UInt8] {
    var hasher = try hash(file, algorithm: algorithm, shouldStop: shouldStop)
    do throws(HasherError) { return try hasher.finishBytes() } catch { throw .noMemory }
  }

  /// The running hash of all bytes of the file.
  private static func hash(
    _ file: borrowing File, algorithm: HashAlgorithm, shouldStop: () -> Bool
  ) throws(StoreError) -> Hasher {
    file.readSequentially()
    var hasher: Hasher
    do throws(HasherError) { hasher = try Hasher(algorithm) } catch { throw .noMemory }
    var buffer = Buffer(count: 64 << 10)
    var offset: UInt64 = 0
    while true {
      if shouldStop() { throw .cancelled }
      let count = try read(file, into: &buffer, at: offset)
      if count == 0 { return hasher }
      do throws(HasherError) { try hasher.update(buffer.bytes.extracting(first: count)) } catch {
        throw .noMemory
      }
      offset += UInt64(count)
    }
  }

  private static func read(
    _ file: borrowing File, into buffer: inout Buffer, at offset: UInt64
  ) throws(StoreError) -> Int {
    var bytes = buffer.mutableBytes
    return try storing { () throws(FileError) in try file.read(into: &bytes, at: offset) }
  }
}
