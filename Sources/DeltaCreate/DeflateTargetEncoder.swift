internal import Codec
internal import PatchFormat

/// Encodes deflate streams: where their bytes go, and how their contents are made.
struct DeflateTargetEncoder: ~Copyable {
  private var contents: PatchScript.Contents
  /// The largest content of a stream, old or new; 0: there is no stream.
  private(set) var largestContent = 0

  init(_ script: PatchScript) throws(DeltaCreateError) {
    contents = try PatchScript.Contents(old: script.old, new: script.file)
  }

  mutating func append(
    _ stream: StreamScript, to cutter: inout SectionCutter
  ) throws(DeltaCreateError) {
    // At least one byte of the content has to be in the same block.
    var sources = cutter.state.sources
    let longest = encoded(stream, at: cutter.position.offset, &sources)?.count ?? 0
    cutter.makeRoom(for: longest + 4 * BlockWriter.largestOperation)
    // If a section has ended with the block, the bytes are others.
    guard let target = encoded(stream, at: cutter.position.offset, &cutter.state.sources),
      cutter.beginStream(target, destinations: stream.target.extents.map(Extent.init))
    else { throw .badOption }  // not reached: the stream was chosen for its parameters and extents
    let source =
      try stream.source.map { (source) throws(DeltaCreateError) in try contents.old.content(of: source) }
      ?? []
    let content = try contents.new.content(of: stream.target)
    largestContent = max(largestContent, source.count, content.count)
    source.withUnsafeBufferPointer { source in
      content.withUnsafeBufferPointer { content in
        let encoder = CopyEncoder(old: source, new: content)
        for operation in stream.operations { encoder.append(operation, to: &cutter) }
        encoder.appendLiterals(upTo: content.count, to: &cutter)
      }
    }
    cutter.endStream()
  }

  /// What a block says of a stream; nil for one that zlib cannot make.
  private func encoded(
    _ stream: StreamScript, at position: UInt64, _ sources: inout ExtentChain
  ) -> [UInt8]? {
    guard let parameters = stream.target.parameters else { return nil }
    var bytes: [UInt8] = []
    DeflateTarget(
      parameters, contentSize: UInt64(stream.target.contentSize),
      destinations: stream.target.extents.map(Extent.init),
      source: stream.source.map { DeflateTarget.Source($0.wrapper, extentCount: UInt64($0.extents.count)) }
    ).append(to: &bytes, at: position)
    for extent in stream.source?.extents ?? [] { sources.append(Extent(extent), to: &bytes) }
    return bytes
  }
}
