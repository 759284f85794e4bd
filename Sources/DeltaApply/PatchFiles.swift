package import PatchFormat

/// The files that applying reads and writes; offsets are in bytes.
package protocol PatchFiles: AnyObject {
  /// Fills the front of `buffer` from the old file; returns the byte count, less only at the file's end.
  func readOld(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int
  /// Does the same for what was written of the new file.
  func readNew(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int
  /// Takes bytes of the new file.
  func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError)
  /// Called when the new file is written up to `checkpoint.completed`, where applying can resume.
  func reached(_ checkpoint: Checkpoint) throws(DeltaError)
}
