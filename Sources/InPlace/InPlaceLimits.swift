/// Bounds of an update in place.
package enum InPlaceLimits {
  /// Milliseconds to wait at most for readers of the maps that are replaced: they let go of them when they see that an
  /// update in place begins.
  static var readerWait: UInt64 { 15_000 }
  /// Bytes of a line of the journal: a URL of 256 bytes, an id of 200, a path of 512, digests and numbers.
  static var journalLine: Int { 1408 }
  /// Bytes of a new file between two checkpoints: each waits for two flushes, and without one that much is made again after
  /// a power loss.
  static var checkpointInterval: UInt64 { 4 << 20 }
  /// Bytes of a new file that a section makes at most, as `tinypublish` writes them: nothing is given back within one.
  ///
  /// For an estimate; a patch may have longer ones.
  static var assumedSection: UInt64 { 16 << 20 }
}
