package import PatchFormat
package import Platform

/// Makes the new file from a patch in a file, which may be a pipe.
///
/// - `shouldStop`: asked before each piece, also while waiting for bytes; true ends it with `cancelled`.
///
/// Returns the head, which identifies the new file. Comparing the digests of the old and of the new file is
/// left to the caller: they are best taken from disk.
package func applyPatch(
  from patch: borrowing File, expecting expectation: PatchExpectation, files: any PatchFiles,
  memoryLimit: UInt64,
  shouldStop: () -> Bool = { false }
) throws(DeltaError) -> PatchHead {
  var applier = try Applier(expectation, memoryLimit: memoryLimit)
  var piece = [UInt8](repeating: 0, count: BufferSizes.piece)
  while true {
    // A pipe may stay silent: waiting in short intervals lets `shouldStop` end it.
    while !patch.waitForInput(milliseconds: 200) && !shouldStop() {}
    guard !shouldStop() else { throw .cancelled }
    let count: Int
    do throws(Failure) {
      var span = piece.mutableSpan
      var bytes = span.mutableBytes
      count = try patch.read(into: &bytes)
    } catch { throw .file(error) }
    if count == 0 { break }
    try applier.consume(piece.span.bytes.extracting(0..<count), files: files)
  }
  return try applier.finish()
}
