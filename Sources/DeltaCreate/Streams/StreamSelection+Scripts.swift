internal import PatchFormat

extension StreamSelection {
  /// How the contents of these streams are made.
  func scripts(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, options: PatchMaker.Options
  ) throws(DeltaCreateError) -> [StreamScript] {
    var contents = try PatchScript.Contents(old: old, new: new)
    var scripts: [StreamScript] = []
    var waiting: [StreamContents] = []
    var room = Tuning.StreamSelection.keptContents
    for (number, stream) in streams.enumerated() {
      waiting.append(try StreamContents(stream, from: &contents, room: &room))
      let isLast = number + 1 == streams.count
      guard isLast || waiting.isMany else { continue }
      scripts += try options.processors.map(waiting) { (contents) throws(DeltaCreateError) in
        try StreamSelection.script(contents, options)
      }
      waiting = []
    }
    return scripts
  }

  /// How the content of a stream is made.
  private static func script(
    _ contents: StreamContents, _ options: PatchMaker.Options
  ) throws(DeltaCreateError) -> StreamScript {
    let stream = contents.stream
    let (old, new) = (contents.old, contents.new)
    var copies: [Copy] = []
    if stream.source != nil {
      copies = try old.withUnsafeBufferPointer { (old) throws(DeltaCreateError) in
        try new.withUnsafeBufferPointer { (new) throws(DeltaCreateError) in
          let found = try CopyFinder.bySuffixes(old: old, new: new, [options.matchings[0]])
          return WindowedCopies.reachable(found[0], in: old.count)
        }
      }
    }
    return StreamScript(
      residualOffset: stream.residualOffset, target: stream.target,
      source: copies.isEmpty ? nil : stream.source, operations: copies.map(ScriptOperation.init),
      contents: contents.isKept ? StreamScript.Contents(source: copies.isEmpty ? [] : old, target: new) : nil)
  }
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
