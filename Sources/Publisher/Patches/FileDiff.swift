package import Crypto
package import DeltaCreate
package import PatchFormat
internal import Platform

/// A patch between any two files, outside of a repository.
package struct FileDiff {
  private let old: String
  private let new: String
  private let output: String

  /// What can be chosen; sizes are in bytes.
  package struct Options: Sendable {
    /// The LZMA2 dictionary: applying the patch needs this much memory.
    package var dictionary: UInt32 = 1 << 20
    /// The memory that the search for matches may take.
    package var memory = Int.max
    /// How many processors may be used.
    package var processors = 1

    package init() {}
  }

  /// The result.
  package struct Report: Sendable {
    package let head: PatchHead
    package let headDigest: Digest
    /// Bytes of the patch.
    package let size: UInt64
    /// How matches were searched for.
    package let plan: MatchPlan
    /// What became of the deflate streams of the new file.
    package let streams: StreamFigures
  }

  /// - `old`: a path; an empty file such as `/dev/null` makes a packed component.
  package init(from old: String, to new: String, output: String) {
    self.old = old
    self.new = new
    self.output = output
  }

  /// Makes the patch, checks it by applying it, and only then gives it its name.
  package func run(_ options: Options = Options()) throws(PublisherError) -> Report {
    let target = PathParts(of: output)
    let oldSize = try FileDiff.size(old)
    let pair = PatchPair(
      old: oldSize == 0 ? nil : old, oldSize: oldSize, new: new, newSize: try FileDiff.size(new))
    var maker = PayloadMaker(pair: pair, plan: pair.plan(limit: options.memory))
    maker.options.dictionarySize = options.dictionary
    maker.options.workDirectory = target.parent
    let machine = SharedMachine(
      processors: options.processors, memory: options.memory, dictionarySize: Int(options.dictionary))
    maker.options.processors = machine.processors(forSearch: maker.plan.memory)
    let patch = try machine.processors.occupying { () throws(PublisherError) in try maker.make() }
    let directory = try onFile { () throws(FileError) in try Directory(opening: target.parent) }
    // No other file has this name, and if one had, it would be neither opened nor removed.
    let part = ".tinypublish-\(UInt64.random(in: 0 ... .max))"
    let file = try onFile { () throws(FileError) in try directory.open(part, to: .make) }
    do throws(PublisherError) {
      try PayloadMaker.write(patch, to: file)
      try onFile { () throws(FileError) in try file.synchronize() }
      try PayloadCheck(pair: pair).run(file.path, head: patch.headDigest, size: patch.size)
      try onFile { () throws(FileError) in try directory.rename(part, to: target.name) }
    } catch {
      do throws(FileError) { try directory.remove(part) } catch {}
      throw error
    }
    return Report(
      head: patch.head, headDigest: patch.headDigest, size: patch.size, plan: maker.plan,
      streams: patch.streams)
  }

  private static func size(_ path: String) throws(PublisherError) -> UInt64 {
    try onFile { () throws(FileError) in try File(opening: path).size() }
  }
}
