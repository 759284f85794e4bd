package import PatchFormat
package import Platform

/// Applies a patch from and to local files; for a dry run there are none, and what is read is only recorded.
package struct LocalPatchFiles: PatchFiles, ~Copyable {
  private let old: File?
  /// The file that is made; nil in a dry run.
  private let new: File?
  /// What is read, in a dry run.
  private(set) var reads: LastReads?
  private let progress: (UInt64) -> Bool

  /// - `old`: nil for a packed component.
  /// - `new`: opened for writing and reading.
  /// - `progress`: called after each write with the size of what is written; false cancels.
  package init(
    old: consuming File?, new: consuming File, progress: @escaping (UInt64) -> Bool = { _ in true }
  ) {
    self.old = old
    self.new = consume new
    self.progress = progress
  }

  /// Reads and writes nothing.
  init(recording reads: LastReads) {
    old = nil
    new = nil
    self.reads = reads
    progress = { _ in true }
  }

  /// Returns when the bytes that were written are durable.
  package borrowing func synchronizeData() throws(DeltaError) {
    switch new {
    case .some(let new):
      do throws(FileError) { try new.synchronizeData() } catch { throw .file(error) }
    case .none: break
    }
  }

  package mutating func readOld(
    into buffer: inout MutableRawSpan, at offset: UInt64
  ) throws(DeltaError) -> Int {
    if var reads {
      let count = Int(min(UInt64(buffer.byteCount), reads.oldSize - min(offset, reads.oldSize)))
      self.reads = nil  // so that it is not copied
      reads.read(offset, count: count)
      self.reads = reads
      return count
    }
    switch old {
    case .some(let file): return try LocalPatchFiles.read(file, into: &buffer, at: offset)
    case .none: return 0
    }
  }

  package mutating func readNew(
    into buffer: inout MutableRawSpan, at offset: UInt64
  ) throws(DeltaError) -> Int {
    switch new {
    case .some(let file): return try LocalPatchFiles.read(file, into: &buffer, at: offset)
    case .none: return buffer.byteCount
    }
  }

  package mutating func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError) {
    switch new {
    case .some(let new):
      do throws(FileError) { try new.write(bytes, at: offset) } catch { throw .file(error) }
    case .none: return
    }
    guard progress(offset + UInt64(bytes.byteCount)) else { throw .cancelled }
  }

  package mutating func reached(_ checkpoint: Checkpoint) { reads?.endSection(at: checkpoint.completed) }

  /// Closes the new file; fails if not all of it was written.
  package consuming func close() throws(DeltaError) {
    switch consume new {
    case .some(let new):
      do throws(FileError) { try new.close() } catch { throw .file(error) }
    case .none: break
    }
  }

  private static func read(
    _ file: borrowing File, into buffer: inout MutableRawSpan, at offset: UInt64
  ) throws(DeltaError) -> Int {
    do throws(FileError) { return try file.read(into: &buffer, at: offset) } catch { throw .file(error) }
  }
}
