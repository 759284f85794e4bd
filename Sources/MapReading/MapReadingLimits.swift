/// How much of a manifest is read: one place, each figure with its reason.
package enum MapReadingLimits {
  /// Bytes of a line: an id, a data group, a path, numbers and two digests.
  package static var line: Int { 1152 }
  /// Words of a line; the last one has the rest of the line, of a path with many spaces.
  package static var words: Int { 9 }
}
