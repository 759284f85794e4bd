internal import Crypto
internal import DeltaApply
internal import PatchFormat
internal import Platform
internal import Store
internal import Updater

/// Applies a patch file to a file, without a catalog.
struct BarePatch {
  private let old: String
  private let patch: String
  private let new: OutputPath
  private let memory: UInt64

  /// Checks the names, and makes nothing yet.
  ///
  /// - `patch`: a path, or `-` for standard input.
  /// - `new`: a path, or `-` for standard output.
  /// - `memory`: bytes of memory that applying may take.
  init(old: String, patch: String, new: String, memory: UInt64) throws(OperandError) {
    // The old file may be replaced by the new one.
    self.new = try OutputPath(new, inputs: BarePatch.isStandardInput(patch) ? [] : [patch])
    _ = try File(readingAnywhere: old)
    self.old = old
    self.patch = patch
    self.memory = memory
  }

  /// Makes the new file, which gets its name, or goes to standard output, when it is complete and verified.
  ///
  /// - `progress`: called with the number of bytes written so far.
  func apply(progress: @escaping (UInt64) -> Void) throws(Failure) {
    let output = try OutputFile(new)
    let head = try apply(into: try File(duplicating: output.file), progress: progress)
    guard head.isNew(try digest(of: output.file)) else {
      // The old file is read again only to say whether it was the wrong one.
      let base = try File(opening: old)
      let oldDigest = try digest(of: base)
      let isOld = head.oldSize > 0 && !head.isOld(oldDigest)
      throw Failure(.wrongResult(isOld: isOld), path: patch)
    }
    try output.complete()
  }

  private func apply(
    into output: consuming File, progress: @escaping (UInt64) -> Void
  ) throws(Failure) -> PatchHead {
    let base = try File(opening: old)
    let oldSize = try base.size()
    let container =
      try BarePatch.isStandardInput(patch) ? File(standardInput: patch) : File(opening: patch)
    let files = LocalPatchFiles(old: base, new: output) { written in
      progress(written)
      return !StopSignal.isRaised
    }
    let expectation = PatchExpectation(head: nil, containerSize: nil, oldSize: oldSize, newSize: nil)
    do throws(DeltaError) {
      return try applyPatch(
        from: container, expecting: expectation, files: files, memoryLimit: memory,
        shouldStop: { StopSignal.isRaised })
    } catch { throw Failure(error, path: patch) }
  }

  private func digest(of file: borrowing File) throws(Failure) -> Digest {
    try Verification.digest(of: file, shouldStop: { StopSignal.isRaised })
  }

  private static func isStandardInput(_ patch: String) -> Bool { patch.utf8.elementsEqual("-".utf8) }
}
