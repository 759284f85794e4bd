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

/// Makes the new file from a patch in a file, which may be a pipe.
///
/// - `shouldStop`: asked before each piece, also while waiting for bytes; true ends it with `cancelled`.
///
/// Returns the head, which identifies the new file. Comparing the digests of the old and of the new file is
/// left to the caller: they are best taken from disk.
package func applyPatch<Files: PatchFiles & ~Copyable>(
  from patch: borrowing File, _ expectation: PatchExpectation, _ files: inout Files, memoryLimit: UInt64,
  shouldStop: () -> Bool = { false }
) throws(DeltaError) -> PatchHead {
  var applier = try Applier(expectation, memoryLimit: memoryLimit)
  var piece = [UInt8](repeating: 0, count: BufferSizes.piece)
  while true {
    // The writer of a pipe may be gone, and a signal may end it together with this process.
    while !patch.waitForInput(milliseconds: 200) && !shouldStop() {}
    guard !shouldStop() else { throw .cancelled }
    let count: Int
    do throws(FileError) {
      var span = piece.mutableSpan
      var bytes = span.mutableBytes
      count = try patch.read(into: &bytes)
    } catch { throw .file(error) }
    if count == 0 { break }
    try applier.consume(piece.span.bytes.extracting(0..<count), &files)
  }
  let head = applier.head
  try applier.finish()
  guard let head else { throw .truncated(at: 0) }  // not reached: it would not have finished
  return head
}
