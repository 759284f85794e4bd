internal import PatchFormat

/// Finds out what a patch reads, while its bytes arrive, and authenticates them.
package struct DryRun: ~Copyable {
  private var applier: Applier
  private var files: LocalPatchFiles

  /// - `block`: what the file system can give back at a time, in bytes.
  package init(
    _ expectation: PatchExpectation, newSize: UInt64, memoryLimit: UInt64, block: UInt64
  ) throws(DeltaError) {
    applier = try Applier(expectation, memoryLimit: memoryLimit, isDryRun: true)
    files = LocalPatchFiles(
      recording: LastReads(oldSize: expectation.oldSize, newSize: newSize, block: block))
  }

  /// Takes the next piece of the patch, of any size.
  package mutating func consume(_ bytes: RawSpan) throws(DeltaError) {
    try applier.consume(bytes, files: &files)
  }

  /// Ends the patch: all of it is authentic if this does not throw.
  package consuming func finish() throws(DeltaError) -> LastReads? {
    try applier.finish()
    return files.reads
  }
}
