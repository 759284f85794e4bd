internal import PatchFormat

/// New files whose deflate streams are made from their contents.
extension PatchSearch {
  /// Tries the script with these streams.
  mutating func tryStreams(_ found: StreamSelection) throws(DeltaCreateError) {
    let operations = try operations(for: found)
    let streams = try scripts(for: found.streams)
    try ranking.add(
      PatchScript(
        old: old, output: .residual(found.residual, of: new, streams: streams), operations: operations))
  }

  /// The operations that make the residual.
  private func operations(for found: StreamSelection) throws(DeltaCreateError) -> [ScriptOperation] {
    var search = PatchSearch(
      old: old, new: found.residual.bytes, isResidual: true, plan: plan, options: options)
    if case .windows(let size) = plan.effort {
      return try search.operations(inWindows: max(SearchBudget.smallestWindow, size - found.memory / 3))
    }
    return try search.operations(among: try search.findCopies())
  }

  /// How the contents of streams are made.
  private func scripts(
    for planned: [StreamSelection.PlannedStream]
  ) throws(DeltaCreateError) -> [StreamScript] {
    var contents = try PatchScript.Contents(old: old, new: new)
    var scripts: [StreamScript] = []
    var waiting: [StreamContents] = []
    var room = PatchSearch.keptContents
    for (number, stream) in planned.enumerated() {
      waiting.append(try StreamContents(stream, from: &contents, room: &room))
      let isLast = number + 1 == planned.count
      guard isLast || waiting.isMany else { continue }
      scripts += try options.processors.map(waiting, script)
      waiting = []
    }
    return scripts
  }

  /// How the content of a stream is made.
  private func script(_ contents: StreamContents) throws(DeltaCreateError) -> StreamScript {
    let stream = contents.stream
    let (old, new) = (contents.old, contents.new)
    var copies: [Copy] = []
    if stream.source != nil {
      copies = try old.withUnsafeBufferPointer { (old) throws(DeltaCreateError) in
        try new.withUnsafeBufferPointer { (new) throws(DeltaCreateError) in
          let plan = SearchBudget.choose(old: old.count, new: new.count, limit: self.plan.limit)
          let finder = try CopyFinder(old: old, new: new, plan: plan)
          return WindowedCopies.reachable(finder.copies([options.matchings[0]])[0], in: old.count)
        }
      }
    }
    return StreamScript(
      residualOffset: stream.residualOffset, target: stream.target,
      source: copies.isEmpty ? nil : stream.source, operations: copies.map(ScriptOperation.init),
      contents: contents.isKept ? StreamScript.Contents(source: copies.isEmpty ? [] : old, target: new) : nil)
  }

  /// How many bytes of contents are kept for all tries: those of a small file.
  private static var keptContents: Int { 4 << 20 }
}

/// What is in a stream and in its source, as far as that is searched or kept.
private struct StreamContents {
  let stream: StreamSelection.PlannedStream
  private(set) var old: [UInt8] = []
  private(set) var new: [UInt8] = []
  /// Whether the script of the stream keeps them.
  private(set) var isKept = false

  /// - `room`: how many bytes may still be kept.
  init(
    _ stream: StreamSelection.PlannedStream, from contents: inout PatchScript.Contents, room: inout Int
  ) throws(DeltaCreateError) {
    self.stream = stream
    guard stream.source != nil || stream.target.contentSize <= room else { return }
    let found = try contents.read(stream.target, from: stream.source)
    (old, new) = (found.source, found.target)
    guard old.count + new.count <= room else { return }
    isKept = true
    room -= old.count + new.count
  }
}

extension [StreamContents] {
  /// Whether they are enough for several threads, or take enough memory.
  fileprivate var isMany: Bool {
    count >= 64 || reduce(0) { $0 + $1.old.count + $1.new.count } >= 4 << 20
  }
}
