/// Where copies take bytes from.
package enum CopySource: Hashable, Sendable {
  /// The old file; while a deflate stream is rebuilt, the content of the old stream.
  case old
  /// The new file, as far as it is made.
  case new
}
