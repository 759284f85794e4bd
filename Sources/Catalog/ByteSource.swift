/// Where a reader gets its bytes from.
package protocol ByteSource: ~Copyable {
  /// Fills the front of `buffer`; returns the byte count, 0 at the end.
  mutating func read(into buffer: inout MutableRawSpan) throws(CatalogError) -> Int
}
