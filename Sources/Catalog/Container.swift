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

  package init(url: String, size: UInt64, head: Digest, memory: UInt64) {
    self.url = url
    self.size = size
    self.head = head
    self.memory = memory
  }
}
