package import Crypto
package import PatchFormat

/// The files that applying reads and writes; offsets are in bytes.
package protocol PatchFiles: ~Copyable {
  /// Fills the front of `buffer` from the old file; returns the byte count, less only at the file's end.
  mutating func readOld(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int
  /// Does the same for what was written of the new file.
  mutating func readNew(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int
  /// Takes bytes of the new file.
  mutating func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError)
  /// Called when the new file is written up to `checkpoint.completed`, where applying can resume.
  mutating func reached(_ checkpoint: Checkpoint) throws(DeltaError)
}

/// What is known about a patch before its first byte.
package struct PatchExpectation {
  /// The digest of its head and first frame together; nil if it is not known, as for a bare patch.
  package let head: Digest?
  /// In bytes, like the others; nil if it is not known, as for a pipe.
  package let containerSize: UInt64?
  /// 0 for a packed component.
  package let oldSize: UInt64
  /// Nil if only the patch specifies it.
  package let newSize: UInt64?

  package init(head: Digest?, containerSize: UInt64?, oldSize: UInt64, newSize: UInt64?) {
    self.head = head
    self.containerSize = containerSize
    self.oldSize = oldSize
    self.newSize = newSize
  }
}
