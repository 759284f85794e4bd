package import Crypto
internal import DeltaApply
internal import DeltaCreate
package import PatchFormat
internal import Platform

/// A patch between any two files, outside of a repository.
package struct FileDiff {
  private let old: String
  private let new: String
  private let output: String

  /// What may be chosen; sizes are in bytes.
  package struct Options: Sendable {
    /// The most that applying has to remember.
    package var dictionary: UInt32 = 1 << 20
    /// What searching for matches may take.
    package var memory = Int.max

    package init() {}
  }

  /// What was made.
  package struct Report: Sendable {
    package let head: PatchHead
    package let headDigest: Digest
    /// Bytes of the patch.
    package let size: UInt64
    /// The old file did not fit into memory: only matches of whole blocks were found.
    package let isByBlocks: Bool
    /// Bytes of both files that were not looked into for deflate streams: there were too many.
    package let unsearched: Int
  }

  /// - `old`: a path; an empty file such as `/dev/null` makes a packed component.
  package init(from old: String, to new: String, output: String) {
    self.old = old
    self.new = new
    self.output = output
  }

  /// Makes the patch, applies it once to see that it is right, and gives it its name then.
  package func run(_ options: Options = Options()) throws(PublisherError) -> Report {
    var makerOptions = PatchMaker.Options()
    makerOptions.dictionarySize = options.dictionary
    makerOptions.memory = options.memory
    makerOptions.workDirectory = PathParts(of: output).parent
    let oldSize = try onFile { () throws(FileError) in try File(opening: old).size() }
    let patch = try PayloadMaker.patch(from: oldSize == 0 ? nil : old, to: new, makerOptions)
    let target = PathParts(of: output)
    let directory = try onFile { () throws(FileError) in try Directory(opening: target.parent) }
    // Nobody else's file has this name, and if it had, it would neither be opened nor removed.
    let part = ".tinypublish-\(UInt64.random(in: 0 ... .max))"
    let file = try onFile { () throws(FileError) in try directory.open(part, .make) }
    do throws(PublisherError) {
      try PayloadMaker.write(patch, to: file)
      let expectation = PatchExpectation(
        head: patch.headDigest, containerSize: patch.size, oldSize: patch.head.oldSize,
        newSize: patch.head.newSize)
      try PayloadMaker.check(file.path, expectation, from: oldSize == 0 ? nil : old, to: new)
      try onFile { () throws(FileError) in try directory.rename(part, to: target.name) }
    } catch {
      do throws(FileError) { try directory.remove(part) } catch {}
      throw error
    }
    return Report(
      head: patch.head, headDigest: patch.headDigest, size: patch.size,
      isByBlocks: oldSize > 0
        && !PatchMaker.matchesSuffixes(Int(max(oldSize, patch.head.newSize)), options.memory),
      unsearched: patch.unsearched)
  }
}
