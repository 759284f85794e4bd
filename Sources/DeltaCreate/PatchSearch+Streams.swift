internal import PatchFormat

/// New files whose deflate streams are made from their contents.
extension PatchSearch {
  /// Tries the scripts with streams: one for each matching, in windows one for the first of them.
  mutating func tryStreams(_ found: StreamPlan) throws(DeltaCreateError) {
    let residuals = try operations(for: found)
    let streams = try streamScripts(found.streams, Array(options.matchings.prefix(residuals.count)))
    for (index, operations) in residuals.enumerated() where index == 0 || isSmall {
      try ranking.add(
        PatchScript(
          old: old, output: .residual(found.residual, of: new, streams: streams[index]),
          operations: operations))
    }
  }

  /// The operations that make the residual.
  private func operations(for found: StreamPlan) throws(DeltaCreateError) -> [[ScriptOperation]] {
    if case .windows(let size) = plan.effort {
      let search = PatchSearch(
        old: old, new: found.residual.bytes, isResidual: true, plan: plan, options: options)
      return [
        try search.operations(inWindows: max(MatchPlan.smallestWindow, size - found.memory / 3))
      ]
    }
    let finder = try CopyFinder(
      old: old, new: found.residual.bytes, plan: plan, processors: options.processors)
    return finder.copies(options.matchings, processors: options.processors).map {
      $0.map(ScriptOperation.init)
    }
  }

  /// How the contents of all streams are made with the copies of each matching.
  private func streamScripts(
    _ planned: [StreamPlan.PlannedStream], _ matchings: [PatchMaker.Matching]
  ) throws(DeltaCreateError) -> [[StreamScript]] {
    var contents = try PatchScript.Contents(old: old, new: new)
    var streams = matchings.map { _ in [StreamScript]() }
    var waiting: [StreamContents] = []
    for (number, stream) in planned.enumerated() {
      waiting.append(try StreamContents(stream, from: &contents))
      let isLast = number + 1 == planned.count
      guard isLast || options.processors.idle == 0 || waiting.isMany else { continue }
      let found = try options.processors.map(waiting) { (contents) throws(DeltaCreateError) in
        try scripts(contents, matchings)
      }
      for scripts in found { for index in streams.indices { streams[index].append(scripts[index]) } }
      waiting = []
    }
    return streams
  }

  /// How the content of a stream is made with the copies of each matching.
  private func scripts(
    _ contents: StreamContents, _ matchings: [PatchMaker.Matching]
  ) throws(DeltaCreateError) -> [StreamScript] {
    let stream = contents.stream
    let (old, new) = (contents.old, contents.new)
    var found = matchings.map { _ in [Copy]() }
    if stream.source != nil {
      found = try old.withUnsafeBufferPointer { (old) throws(DeltaCreateError) in
        try new.withUnsafeBufferPointer { (new) throws(DeltaCreateError) in
          let plan = MatchPlan.choose(old: old.count, new: new.count, limit: self.plan.limit)
          return try CopyFinder(old: old, new: new, plan: plan).copies(matchings).map {
            WindowedCopies.reachable($0, in: old.count)
          }
        }
      }
    }
    return found.map { copies in
      StreamScript(
        residualOffset: stream.residualOffset, target: stream.target,
        source: copies.isEmpty ? nil : stream.source,
        operations: copies.map(ScriptOperation.init))
    }
  }
}

/// What is in a stream and in its source, if it has one.
private struct StreamContents {
  let stream: StreamPlan.PlannedStream
  private(set) var old: [UInt8] = []
  private(set) var new: [UInt8] = []

  init(
    _ stream: StreamPlan.PlannedStream, from contents: inout PatchScript.Contents
  ) throws(DeltaCreateError) {
    self.stream = stream
    guard let source = stream.source else { return }
    old = try contents.old.content(of: source)
    new = try contents.new.content(of: stream.target)
  }
}

extension [StreamContents] {
  /// Whether they are enough for several threads, or take enough memory.
  fileprivate var isMany: Bool {
    count >= 64 || reduce(0) { $0 + $1.old.count + $1.new.count } >= 4 << 20
  }
}
