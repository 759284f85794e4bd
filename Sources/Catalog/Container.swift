package import Crypto

/// A file of compressed instructions (`docs/format/patch.md`), named by the digest of its head.
package struct Container: Equatable {
  /// The format that this program reads and writes.
  package static var format: UInt64 { 2 }

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
