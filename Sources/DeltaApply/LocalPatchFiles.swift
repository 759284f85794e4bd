package import PatchFormat
package import Platform

/// Applies a patch from and to local files.
package struct LocalPatchFiles: PatchFiles, ~Copyable {
  private let old: File?
  /// The file that is made.
  package let new: File
  private let progress: (UInt64) -> Bool

  /// - `old`: nil for a packed component.
  /// - `new`: opened for writing and reading.
  /// - `progress`: called after each write with the size of what is written; false cancels.
  package init(
    old: consuming File?, new: consuming File, progress: @escaping (UInt64) -> Bool = { _ in true }
  ) {
    self.old = old
    self.new = new
    self.progress = progress
  }

  package mutating func readOld(
    into buffer: inout MutableRawSpan, at offset: UInt64
  ) throws(DeltaError) -> Int {
    switch old {
    case .some(let file): return try LocalPatchFiles.read(file, into: &buffer, at: offset)
    case .none: return 0
    }
  }

  package mutating func readNew(
    into buffer: inout MutableRawSpan, at offset: UInt64
  ) throws(DeltaError) -> Int {
    try LocalPatchFiles.read(new, into: &buffer, at: offset)
  }

  package mutating func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError) {
    do throws(FileError) { try new.write(bytes, at: offset) } catch { throw .file(error) }
    guard progress(offset + UInt64(bytes.byteCount)) else { throw .cancelled }
  }

  package mutating func reached(_ checkpoint: Checkpoint) {}

  /// Closes the new file; fails if not all of it was written.
  package consuming func close() throws(DeltaError) {
    do throws(FileError) { try new.close() } catch { throw .file(error) }
  }

  private static func read(
    _ file: borrowing File, into buffer: inout MutableRawSpan, at offset: UInt64
  ) throws(DeltaError) -> Int {
    do throws(FileError) { return try file.read(into: &buffer, at: offset) } catch { throw .file(error) }
  }
}
