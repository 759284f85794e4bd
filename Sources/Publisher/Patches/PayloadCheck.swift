internal import Catalog
internal import Crypto
internal import DeltaApply
internal import Platform

/// Applies a payload as a device does, and compares the result with the expected file.
///
/// Nothing is written.
struct PayloadCheck {
  let pair: PatchPair

  /// Whether the payload at `path` is right.
  func accepts(_ payload: Container, at path: String) throws(PublisherError) -> Bool {
    do throws(PublisherError) { try run(path, head: payload.head, size: payload.size) } catch {
      guard case .payload(.notApplied) = error else { throw error }
      return false
    }
    return true
  }

  /// Throws `notApplied` if the payload at `path` is not right.
  ///
  /// - `head`: the digest of its head and first frame.
  /// - `size`: its bytes.
  func run(_ path: String, head: Digest, size: UInt64) throws(PublisherError) {
    try run(onFile { () throws(Failure) in try File(opening: path) }, head: head, size: size)
  }

  /// The same for an open file, at its beginning.
  func run(_ patch: consuming File, head: Digest, size: UInt64) throws(PublisherError) {
    let path = patch.path
    var base: File?
    if let old = pair.old { base = try onFile { () throws(Failure) in try File(opening: old) } }
    let new = try onFile { () throws(Failure) in try MappedFile(try File(opening: pair.new)) }
    let files = ComparingFiles(old: base, new: new)
    let expectation = PatchExpectation(
      head: head, containerSize: size, oldSize: pair.oldSize, newSize: pair.newSize)
    do throws(DeltaError) {
      _ = try applyPatch(from: patch, expecting: expectation, files: files, memoryLimit: .max)
      guard files.isComplete else { throw .wrongResult(isOld: false) }
    } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .payload(.notApplied(path: path, error))
    }
  }
}
