internal import Catalog
internal import Crypto
internal import DeltaCreate
internal import PatchFormat
internal import Platform

/// Makes the payload of one pair of files, with the module that searches for patches.
struct PayloadMaker {
  let pair: PatchPair
  let plan: SearchBudget
  var options = PatchMaker.Options()

  /// Makes the patch; its bytes are not in a file yet.
  func make() throws(PublisherError) -> EncodedPatch {
    let new = try PayloadMaker.map(pair.new)
    guard let old = pair.old else {
      return try make(from: UnsafeBufferPointer(start: nil, count: 0), to: new.bytes)
    }
    let oldFile = try PayloadMaker.map(old)
    return try make(from: oldFile.bytes, to: new.bytes)
  }

  /// Makes the unfinished file `name`, and checks that a device can use it.
  ///
  /// - `old`, `new`: the digests that the two files must have.
  func make(
    _ name: String, in workspace: borrowing Workspace, old: Digest?, new: Digest
  ) throws(PublisherError) -> (container: Container, streams: StreamFigures) {
    let patch = try make()
    guard patch.newDigest == new else { throw .repository(.wrongDigest(path: pair.new)) }
    if let path = pair.old, patch.oldDigest != old { throw .repository(.wrongDigest(path: path)) }
    try PayloadMaker.write(patch, to: try workspace.create(name))
    let container = Container(
      patch.head, digest: patch.headDigest, size: patch.size,
      recompressed: UInt64(patch.streams[StreamFigures.Outcome.rebuilt].bytes))
    options.observe(PatchProgress(.checking))
    try PayloadCheck(pair: pair).run(workspace.path(name), head: container.head, size: container.size)
    return (container, patch.streams)
  }

  /// Writes a patch to a file.
  static func write(_ patch: EncodedPatch, to file: borrowing File) throws(PublisherError) {
    do throws(DeltaCreateError) { try patch.write(to: file) } catch {
      throw PayloadMaker.error(error, of: file.path)
    }
  }

  private func make(
    from old: UnsafeBufferPointer<UInt8>, to new: UnsafeBufferPointer<UInt8>
  ) throws(PublisherError) -> EncodedPatch {
    do throws(DeltaCreateError) { return try PatchMaker(options).pack(old: old, new: new, plan: plan) } catch
    {
      throw PayloadMaker.error(error, of: pair.new)
    }
  }

  private static func error(_ error: DeltaCreateError, of path: String) -> PublisherError {
    if case .file(let error) = error { return .file(error) }
    return .payload(.notMade(path: path, error))
  }

  private static func map(_ path: String) throws(PublisherError) -> MappedFile {
    try onFile { () throws(Failure) in try MappedFile(try File(opening: path)) }
  }
}
