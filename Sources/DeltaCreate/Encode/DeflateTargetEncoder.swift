internal import Codec
internal import PatchFormat

/// Encodes deflate streams: where their bytes go, and how their contents are made.
struct DeflateTargetEncoder: ~Copyable {
  private var contents: PatchScript.Contents
  private let shortestPause: Int
  /// The largest content of a stream, old or new, as far as devices hold it; 0: there is no stream.
  private(set) var largestContent = 0

  init(_ script: PatchScript) throws(DeltaCreateError) {
    contents = try PatchScript.Contents(old: script.old, new: script.file)
    shortestPause = script.shortestPause
  }

  mutating func append(
    _ stream: StreamScript, to cutter: inout SectionCutter
  ) throws(DeltaCreateError) {
    // Not reached: the stream was chosen for its parameters, here and for its extents below.
    guard let encoder = stream.target.encoder else { throw .badOption }
    let target = DeflateTarget(
      encoder, contentSize: UInt64(stream.target.contentSize),
      destinations: stream.target.extents.map(Extent.init),
      source: stream.source.map { DeflateTarget.Source($0.wrapper, extentCount: UInt64($0.extents.count)) })
    let sources = stream.source?.extents.map(Extent.init) ?? []
    var encoded = Encoded(target, sources: sources, cutter: cutter)
    // At least one byte of the content has to be in the same block.
    if cutter.room < encoded.bytes.count + DeflateTargetEncoder.overhead {
      cutter.endBlock()
      // Other bytes if a section has ended with the block.
      encoded = Encoded(target, sources: sources, cutter: cutter)
    }
    cutter.state.sources = encoded.sources
    guard cutter.beginStream(encoded.bytes, destinations: target.destinations) else { throw .badOption }
    let found =
      if let kept = stream.contents { kept } else { try contents.read(stream.target, from: stream.source) }
    largestContent = max(
      largestContent, min(max(found.source.count, found.target.count), DeflateLimits.window))
    found.source.withUnsafeBufferPointer { source in
      found.target.withUnsafeBufferPointer { content in
        let encoder = CopyEncoder(old: source, new: content, shortestPause: shortestPause)
        for operation in stream.operations { encoder.append(operation, to: &cutter) }
        encoder.appendLiterals(upTo: content.count, to: &cutter)
      }
    }
    cutter.endStream()
  }

  /// What the column of targets encodes of a stream, without the gap.
  private struct Encoded {
    var bytes: [UInt8] = []
    /// The sources of the section after it.
    var sources: ExtentChain

    init(_ target: DeflateTarget, sources: [Extent], cutter: SectionCutter) {
      self.sources = cutter.state.sources
      target.append(to: &bytes, at: cutter.position.offset)
      for extent in sources { self.sources.append(extent, to: &bytes) }
    }
  }

  /// Room for the gap before a stream, and for the operations that make its first byte.
  private static var overhead: Int { 4 * BlockWriter.largestOperation }

  /// Whether a stream with that many destinations and sources, in files of at most `fileSize` bytes, fits into the block of a
  /// patch with these options.
  static func fits(extents: Int, fileSize: Int, options: PatchMaker.Options) -> Bool {
    let size = DeflateTarget.maximumSize(extents: extents, fileSize: UInt64(fileSize))
    return size + overhead <= SectionCutter.blockLimit(options)
  }
}
