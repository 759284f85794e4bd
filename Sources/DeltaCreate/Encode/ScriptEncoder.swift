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

  /// The blocks of a part of the new file, as a section of its own; the script has no streams.
  ///
  /// A unit of an operation belongs to the part in which it begins.
  static func blocks(
    of script: PatchScript, in range: Range<Int>, options: PatchMaker.Options
  ) throws(DeltaCreateError) -> [UInt8] {
    var options = options
    options.sectionOutput = 1 << 40
    var operations = script.operations[script.firstOperation(endingAfter: range.lowerBound)...]
    var start = range.lowerBound
    if let first = operations.first, first.new < start { start = first.nextUnit(from: start) }
    var encoder = try ScriptEncoder(script, options: options, at: start)
    while let operation = operations.popFirst(), operation.new < range.upperBound {
      let part = max(start, operation.new)..<operation.nextUnit(from: min(range.upperBound, operation.end))
      if !part.isEmpty { encoder.copies.append(operation.part(part), to: &encoder.cutter) }
    }
    encoder.copies.appendLiterals(upTo: range.upperBound, to: &encoder.cutter)
    encoder.cutter.endBlock()
    encoder.cutter.endSection()
    return encoder.cutter.takeSections().flatMap(\.bytes)
  }

  /// - `start`: where in the new file it begins.
  private init(
    _ script: PatchScript, options: PatchMaker.Options, at start: Int = 0
  ) throws(DeltaCreateError) {
    cutter = SectionCutter(options, at: start)
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

extension PatchScript {
  /// The index of the first operation that ends after an offset.
  fileprivate func firstOperation(endingAfter offset: Int) -> Int {
    var (low, high) = (0, operations.count)
    while low < high {
      let middle = (low + high) / 2
      if operations[middle].end > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension ScriptOperation {
  /// The first offset from `offset` on where one of its units begins.
  fileprivate func nextUnit(from offset: Int) -> Int {
    let unit = operation.unitSize
    return new + (offset - new + unit - 1) / unit * unit
  }
}
