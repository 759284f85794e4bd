package import Crypto
package import DeltaCreate
package import PatchFormat
internal import Platform

/// A patch between any two files, outside of a repository.
package struct FileDiff {
  private let old: String
  private let new: String
  private let output: OutputPath

  /// The options; sizes are in bytes.
  package struct Options: Sendable {
    /// The LZMA2 dictionary: applying the patch needs this much memory.
    package var dictionary: UInt32 = 1 << 20
    /// The memory that the search for matches may take.
    package var memory = Int.max
    /// How many processors may be used.
    package var processors = 1
    /// Called with the progress.
    package var observe: WorkEvent.Observer = { _ in }

    package init() {}
  }

  /// The result.
  package struct Report: Sendable {
    package let head: PatchHead
    package let headDigest: Digest
    /// Bytes of the patch.
    package let size: UInt64
    /// How matches were searched for.
    package let plan: SearchBudget
    /// What became of the deflate streams of the new file.
    package let streams: StreamFigures
    /// The scripts that were tried, one of which the patch has.
    package let trials: [ScriptTrial]
  }

  /// - `old`, `new`: paths of files or pipes; an empty old file such as `/dev/null` makes a packed component.
  /// - `output`: a path, or `-` for standard output.
  package init(from old: String, to new: String, output: String) throws(PublisherError) {
    self.old = old
    self.new = new
    self.output = try onOperand { () throws(OperandError) in
      try OutputPath(output, inputs: [old, new])
    }
  }

  /// Makes the patch, checks it by applying it, and only then gives it its name.
  ///
  /// Both files are copied first, beside the patch, because they may be pipes, and others may change or cut them.
  package func run(_ options: Options = Options()) throws(PublisherError) -> Report {
    let folder = try onFile { () throws(Failure) in try Directory(opening: output.directory) }
    let old = try PrivateCopy(of: old, in: folder)
    let new = try PrivateCopy(of: new, in: folder)
    let pair = PatchPair(
      old: old.size == 0 ? nil : old.path, oldSize: old.size, new: new.path, newSize: new.size)
    var maker = PayloadMaker(pair: pair, plan: pair.plan(limit: options.memory))
    maker.options.dictionarySize = options.dictionary
    maker.options.workDirectory = output.directory
    let observe = options.observe
    maker.options.observe = { observe(WorkEvent(component: nil, progress: $0)) }
    let machine = SharedMachine(
      processors: options.processors, memory: options.memory, dictionarySize: Int(options.dictionary))
    maker.options.processors = machine.processors(forSearch: maker.plan.memory)
    let patch = try machine.processors.occupying { () throws(PublisherError) in try maker.make() }
    let file = try onFile { () throws(Failure) in try OutputFile(output) }
    try PayloadMaker.write(patch, to: file.file)
    let written = try onFile { () throws(Failure) in try File(duplicating: file.file) }
    try onFile { () throws(Failure) in try written.seek(to: 0) }
    try PayloadCheck(pair: pair).run(written, head: patch.headDigest, size: patch.size)
    try onFile { () throws(Failure) in try file.complete() }
    return Report(
      head: patch.head, headDigest: patch.headDigest, size: patch.size, plan: maker.plan,
      streams: patch.streams, trials: patch.trials)
  }
}
