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
  func apply(progress: @escaping (UInt64) -> Void) throws(UpdateError) {
    let output = try wrap(file: OutputFile(new))
    let head: PatchHead
    do throws(DeltaError) {
      head = try apply(
        into: try BarePatch.opening { () throws(FileError) in try File(duplicating: output.file) },
        progress: progress)
    } catch { throw failure(error) }
    guard head.isNew(try digest(of: output.file)) else {
      // The old file is read again only to say whether it was the wrong one.
      let base = try wrap(file: File(opening: old))
      let oldDigest = try digest(of: base)
      let isOld = head.oldSize > 0 && !head.isOld(oldDigest)
      throw failure(.wrongResult(isOld: isOld))
    }
    try wrap(file: output.complete())
  }

  private func apply(into output: consuming File, progress: @escaping (UInt64) -> Void) throws(DeltaError)
    -> PatchHead
  {
    let base = try BarePatch.opening { () throws(FileError) in try File(opening: old) }
    let oldSize: UInt64
    do throws(FileError) { oldSize = try base.size() } catch { throw .file(error) }
    let container = try BarePatch.opening { () throws(FileError) in
      BarePatch.isStandardInput(patch) ? try File(standardInput: patch) : try File(opening: patch)
    }
    var files = LocalPatchFiles(old: base, new: output) { written in
      progress(written)
      return !StopSignal.isRaised
    }
    let expectation = PatchExpectation(head: nil, containerSize: nil, oldSize: oldSize, newSize: nil)
    return try applyPatch(
      from: container, expecting: expectation, files: &files, memoryLimit: memory,
      shouldStop: { StopSignal.isRaised })
  }

  private func digest(of file: borrowing File) throws(UpdateError) -> Digest {
    do throws(StoreError) {
      return try Verification.digest(of: file, shouldStop: { StopSignal.isRaised })
    } catch {
      throw UpdateError(error)
    }
  }

  private static func isStandardInput(_ patch: String) -> Bool { patch.utf8.elementsEqual("-".utf8) }

  private func failure(_ error: DeltaError) -> UpdateError { UpdateError(error, path: patch) }

  private static func opening(_ body: () throws(FileError) -> File) throws(DeltaError) -> File {
    do throws(FileError) { return try body() } catch { throw .file(error) }
  }
}
