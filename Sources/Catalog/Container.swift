package import Crypto

/// A file of compressed instructions (`docs/format/patch.md`), named by the digest of its head.
package struct Container: Equatable {
  /// The format that this program writes.
  package static var format: UInt64 { 3 }
  /// Those that it reads: each has all operations of the ones before.
  package static var readableFormats: ClosedRange<UInt64> { 2...format }

  /// Relative to the repository.
  package let url: String
  /// Bytes on the wire.
  package let size: UInt64
  package let head: Digest
  /// Bytes of memory that applying it takes.
  package let memory: UInt64
  /// Bytes of deflate streams of the new file that applying it compresses again, which takes most of the time if there are any.
  package let recompressed: UInt64

  package init(url: String, size: UInt64, head: Digest, memory: UInt64, recompressed: UInt64 = 0) {
    self.url = url
    self.size = size
    self.head = head
    self.memory = memory
    self.recompressed = recompressed
  }
}
