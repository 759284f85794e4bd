package import Crypto
package import Platform

/// Makes the new file from a patch that lies in a file.
///
/// `expectedHead` is the digest of the patch's head, as the catalog has it; `old` is nil for a packed component.
/// `output` may hold the beginning of the new file from an earlier call: of its bytes `completed` are known to be
/// right and on the medium, and it is cut back to the restart point before that. A patch that needs more than
/// `memoryLimit` bytes of memory is refused before anything is allocated. `progress` is told after each write how many
/// bytes of the new file there are; false cancels.
///
/// Returned is the head, with the size and digest that the new file must have. Comparing the digests of the old
/// and of the new file is the caller's business: they are best taken from the medium.
package func applyPatch(
  from patch: borrowing File, expectedHead: Digest, old: borrowing File?, into output: borrowing File,
  completed: UInt64 = 0, memoryLimit: UInt64, progress: (UInt64) -> Bool = { _ in true }
) throws(DeltaError) -> PatchHead {
  let head = try PatchHead(readingFrom: patch, expected: expectedHead)
  guard head.memoryNeeded <= memoryLimit else {
    throw .overMemory(needed: head.memoryNeeded, allowed: memoryLimit)
  }
  try checkSize(of: old, head)

  let kept = min(completed, try size(of: output))
  let point = try RestartPoint.find(in: patch, head, completed: kept)
  do throws(FileError) {
    try output.truncate(to: point.completed)
    try output.seek(to: point.completed)
  } catch { throw .file(error) }

  var applier = try Applier(head, from: point, memoryLimit: memoryLimit)
  var piece = [UInt8](repeating: 0, count: PatchLimits.piece)
  var offset = point.containerOffset
  var written = point.completed
  while true {
    let count = try patch.readPatch(into: &piece, at: offset)
    if count == 0 { break }
    try applier.consume(piece.span.bytes.extracting(0..<count)) { (buffer, offset) throws(DeltaError) in
      try readOld(old, into: &buffer, at: offset)
    } write: { (bytes) throws(DeltaError) in
      do throws(FileError) { try output.write(bytes) } catch { throw .file(error) }
      written += UInt64(bytes.byteCount)
      guard progress(written) else { throw .cancelled }
    }
    offset += UInt64(count)
  }
  try applier.finish()
  return head
}

extension PatchHead {
  /// Reads the head of a patch and compares its digest.
  package init(readingFrom patch: borrowing File, expected: Digest) throws(DeltaError) {
    var bytes = [UInt8](repeating: 0, count: PatchHead.size)
    let count = try patch.readPatch(into: &bytes, at: 0)
    guard count == PatchHead.size else { throw .truncated(at: UInt64(count)) }
    try self.init(bytes.span.bytes, expected: expected)
  }

  /// Compares the digest of a patch's first bytes, then parses them.
  package init(_ bytes: RawSpan, expected: Digest) throws(DeltaError) {
    guard bytes.byteCount >= PatchHead.size else { throw .truncated(at: UInt64(bytes.byteCount)) }
    let digest: Digest
    do throws(HasherError) { digest = try Hasher.digest(of: bytes.extracting(0..<PatchHead.size)) } catch {
      throw .hashing
    }
    guard digest == expected else { throw .wrongHead }
    try self.init(parsing: bytes)
  }
}

private func size(of file: borrowing File) throws(DeltaError) -> UInt64 {
  do throws(FileError) { return try file.size() } catch { throw .file(error) }
}

private func checkSize(of old: borrowing File?, _ head: PatchHead) throws(DeltaError) {
  let expected = head.old?.size ?? 0
  var found: UInt64 = 0
  switch old {
  case .some(let file): found = try size(of: file)
  case .none: break
  }
  // Without an old file, one that happens to be at hand is not read.
  guard found == expected || expected == 0 else { throw .wrongOldFile(found: found, expected: expected) }
}

private func readOld(
  _ old: borrowing File?, into buffer: inout MutableRawSpan, at offset: UInt64
) throws(DeltaError) -> Int {
  switch old {
  case .some(let file):
    do throws(FileError) { return try file.read(into: &buffer, at: offset) } catch { throw .file(error) }
  case .none: return 0
  }
}
