/// A range of bytes in a file.
package struct Extent: Equatable, Sendable {
  /// Offset in the file.
  package let start: UInt64
  /// In bytes, at least 1.
  package let size: UInt64

  package init(start: UInt64, size: UInt64) {
    self.start = start
    self.size = size
  }

  /// The first offset after it.
  package var end: UInt64 { start + size }
}
