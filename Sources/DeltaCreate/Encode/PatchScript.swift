/// How a new file is made from an old one: operations, and streams with operations of their own.
struct PatchScript {
  let old: UnsafeBufferPointer<UInt8>
  let output: Output
  /// Their offsets in the new file are those of `new`.
  let operations: [ScriptOperation]
  /// How many equal bytes interrupt the differences of a copy; fewer are written as differences of 0.
  ///
  /// In records whose numbers have all changed, such zeros keep what belongs together at the same distances.
  var shortestPause = 1

  /// What operations make.
  enum Output {
    /// The new file.
    case file(UnsafeBufferPointer<UInt8>)
    /// The residual of the new file, which streams complete; they are in the order of where they begin.
    case residual(Residual, of: UnsafeBufferPointer<UInt8>, streams: [StreamScript])
  }

  /// The bytes that `operations` make: the new file or its residual.
  var new: UnsafeBufferPointer<UInt8> {
    switch output {
    case .file(let file): file
    case .residual(let residual, _, _): residual.bytes
    }
  }

  /// The whole new file.
  var file: UnsafeBufferPointer<UInt8> {
    switch output {
    case .file(let file): file
    case .residual(_, let file, _): file
    }
  }

  var streams: [StreamScript] {
    switch output {
    case .file: []
    case .residual(_, _, let streams): streams
    }
  }

  /// Inflates the streams of both files.
  struct Contents: ~Copyable {
    var old: ContentReader
    var new: ContentReader

    init(old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>) throws(DeltaCreateError) {
      let oldReader = try ContentReader(old)
      let newReader = try ContentReader(new)
      self.old = oldReader
      self.new = newReader
    }

    /// What is in a stream of the new file and in its source.
    mutating func read(
      _ target: DeflateStream, from source: DeflateStream?
    ) throws(DeltaCreateError) -> StreamScript.Contents {
      let source = if let source { try old.content(of: source) } else { [UInt8]() }
      return StreamScript.Contents(source: source, target: try new.content(of: target))
    }
  }
}
