internal import PatchFormat

/// Encodes a script: operations and streams as blocks, blocks as sections.
struct ScriptEncoder: ~Copyable {
  private var cutter: SectionCutter
  private var targets: DeflateTargetEncoder
  private let copies: CopyEncoder
  private let sectionLimit: Int
  /// Whether a section was refused: nothing is encoded from then on.
  private var isStopped = false

  /// What a reader's memory depends on.
  struct Sizes {
    /// In bytes.
    let largestBlock: Int
    /// The largest content of a stream, old or new; 0: there is no stream.
    let largestContent: Int
  }

  /// Encodes all of the new file, and passes each section to `take` when it is complete.
  ///
  /// - `take`: returns whether to continue.
  ///
  /// Nil if `take` returned false.
  static func encode(
    _ script: PatchScript, options: PatchMaker.Options,
    _ take: (Section) throws(DeltaCreateError) -> Bool
  ) throws(DeltaCreateError) -> Sizes? {
    var encoder = try ScriptEncoder(script, options: options)
    try encoder.encode(script, take: take)
    guard !encoder.isStopped else { return nil }
    return Sizes(
      largestBlock: encoder.cutter.largestBlock, largestContent: encoder.targets.largestContent)
  }

  /// How many bytes all sections have before compression.
  static func size(of script: PatchScript, options: PatchMaker.Options) throws(DeltaCreateError) -> Int {
    var size = 0
    _ = try encode(script, options: options) { (section) throws(DeltaCreateError) in
      size += section.bytes.count
      return true
    }
    return size
  }

  private init(_ script: PatchScript, options: PatchMaker.Options) throws(DeltaCreateError) {
    cutter = SectionCutter(options)
    targets = try DeflateTargetEncoder(script)
    copies = CopyEncoder(old: script.old, new: script.new, shortestPause: script.shortestPause)
    sectionLimit = options.sectionSize
  }

  private mutating func encode(
    _ script: PatchScript, take: (Section) throws(DeltaCreateError) -> Bool
  ) throws(DeltaCreateError) {
    var streams = script.streams[...]
    for operation in script.operations where !isStopped {
      try appendLiterals(upTo: min(operation.new, streams.first?.residualOffset ?? .max), take: take)
      var begin = operation.new
      while let stream = streams.first, stream.residualOffset < operation.end {
        copies.append(operation.part(begin..<max(begin, stream.residualOffset)), to: &cutter)
        begin = max(begin, stream.residualOffset)
        try append(stream)
        streams.removeFirst()
      }
      copies.append(operation.part(begin..<operation.end), to: &cutter)
      try handOver(take)
    }
    for stream in streams where !isStopped {
      try append(stream)
      try handOver(take)
    }
    try appendLiterals(upTo: script.new.count, take: take)
    guard !isStopped else { return }
    cutter.endBlock()
    cutter.endSection()
    try handOver(take)
  }

  private mutating func append(_ stream: StreamScript) throws(DeltaCreateError) {
    copies.appendLiterals(upTo: stream.residualOffset, to: &cutter)
    try targets.append(stream, to: &cutter)
  }

  /// Appends literals, however many, without holding all of them.
  private mutating func appendLiterals(
    upTo end: Int, take: (Section) throws(DeltaCreateError) -> Bool
  ) throws(DeltaCreateError) {
    while cutter.completed < end && !isStopped {
      copies.appendLiterals(upTo: min(end, cutter.completed + sectionLimit), to: &cutter)
      try handOver(take)
    }
  }

  private mutating func handOver(
    _ take: (Section) throws(DeltaCreateError) -> Bool
  ) throws(DeltaCreateError) {
    for section in cutter.takeSections() where !isStopped { isStopped = try !take(section) }
  }
}
