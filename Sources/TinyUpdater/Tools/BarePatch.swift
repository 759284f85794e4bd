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
  private let new: String
  private let memory: UInt64

  /// - `patch`: a path, or `-` for standard input.
  /// - `memory`: bytes of memory that applying may take.
  init(old: String, patch: String, new: String, memory: UInt64) {
    self.old = old
    self.patch = patch
    self.new = new
    self.memory = memory
  }

  /// Makes the new file, which gets its name when it is complete and verified.
  ///
  /// - `progress`: called with the number of bytes written so far.
  func apply(progress: @escaping (UInt64) -> Void) throws(UpdateError) {
    let name = new.parts(separatedBy: "/").last ?? new
    let parent = new.utf8.count == name.utf8.count ? "." : String(new.utf8.dropLast(name.utf8.count)) ?? "."
    let directory = try wrap(file: Directory(opening: parent))
    let part = name + ".part"
    do throws(UpdateError) {
      try make(part, in: directory, progress: progress)
    } catch {
      // The first error is the one that counts.
      do throws(FileError) { try directory.remove(part) } catch {}
      throw error
    }
    do throws(FileError) {
      try directory.rename(part, to: name)
      try directory.synchronize()
    } catch {
      do throws(FileError) { try directory.remove(part) } catch {}
      throw UpdateError(error)
    }
  }

  private func make(
    _ part: String, in directory: borrowing Directory, progress: @escaping (UInt64) -> Void
  ) throws(UpdateError) {
    let head: PatchHead
    do throws(DeltaError) {
      head = try apply(
        into: try BarePatch.opening { () throws(FileError) in try directory.open(part, to: .replace) },
        progress: progress)
    } catch { throw failure(error) }
    let output = try wrap(file: directory.open(part))
    try wrap(file: output.synchronize())
    guard head.isNew(try digest(of: output)) else {
      // The old file is read again only to say whether it was the wrong one.
      let base = try wrap(file: File(opening: old))
      let oldDigest = try digest(of: base)
      let isOld = head.oldSize > 0 && !head.isOld(oldDigest)
      throw failure(.wrongResult(isOld: isOld))
    }
  }

  private func apply(into output: consuming File, progress: @escaping (UInt64) -> Void) throws(DeltaError)
    -> PatchHead
  {
    let base = try BarePatch.opening { () throws(FileError) in try File(opening: old) }
    let oldSize: UInt64
    do throws(FileError) { oldSize = try base.size() } catch { throw .file(error) }
    let container = try BarePatch.opening { () throws(FileError) in
      patch.utf8.elementsEqual("-".utf8) ? try File(standardInput: patch) : try File(opening: patch)
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

  private func failure(_ error: DeltaError) -> UpdateError { UpdateError(error, path: patch) }

  private static func opening(_ body: () throws(FileError) -> File) throws(DeltaError) -> File {
    do throws(FileError) { return try body() } catch { throw .file(error) }
  }
}
