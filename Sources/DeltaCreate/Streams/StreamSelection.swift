internal import Crypto
internal import PatchFormat

/// Which deflate streams of a new file are rebuilt from their contents, and from which old ones.
struct StreamSelection {
  /// The new file without these streams; nil if no stream is worth rebuilding: one that the old file holds bit for bit is
  /// copied instead.
  let residual: Residual?
  let streams: [PlannedStream]
  /// Each stream of the new file is counted; those that are rebuilt as `notSmaller`, because a patch without them may be
  /// smaller.
  let figures: StreamFigures
  /// The bytes that `streams` take, an estimate.
  var memory: Int {
    DeflateLimits.memory(
      extents: streams.reduce(0) { $0 + $1.target.extents.count + ($1.source?.extents.count ?? 0) })
  }

  struct PlannedStream {
    /// How many bytes of `residual` precede it.
    let residualOffset: Int
    let target: DeflateStream
    let source: DeflateStream?
  }

  /// - `memory`: the bytes that making the patch may take.
  /// - `directory`: where a file without a name holds the residual; nil: it is in memory.
  /// - `options`: of the patch.
  init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, memory: Int,
    directory: String? = nil, options: PatchMaker.Options
  ) throws(DeltaCreateError) {
    let most = DeflateLimits.maximumExtents(memory: memory)
    let content = DeflateLimits.maximumContent(memory: memory)
    let findings = try options.processors.map([(new, DeflateFinder.Purpose.target), (old, .source)]) {
      (file, purpose) throws(DeltaCreateError) in
      try DeflateFinder.search(file, for: purpose, maximumContent: content, maximumExtents: most)
    }
    let (found, foundInOld) = (findings[0], findings[1])
    var figures = StreamFigures(unsearched: found.unsearched)
    guard !found.streams.isEmpty || !found.large.isEmpty else {
      (residual, streams, self.figures) = (nil, [], figures)
      return
    }
    figures.unsearched += foundInOld.unsearched
    var known = Set<UInt64>()
    for source in [foundInOld.streams, foundInOld.large].joined() {
      known.insert(try StreamSelection.digest(of: source.extents, in: old))
      // Some streams of the new file are without the wrapper.
      if let body = WrappedStream(source, in: old)?.bodyExtents {
        known.insert(try StreamSelection.digest(of: body, in: old))
      }
    }
    var candidates: [DeflateStream] = []
    for stream in [found.streams, found.large].joined() {
      let isKnown = known.contains(try StreamSelection.digest(of: stream.extents, in: new))
      if !isKnown && stream.encoder != nil {
        candidates.append(stream)
      } else {
        let isLarge = stream.contentSize > content
        figures.count(stream, as: isKnown ? .copied : isLarge ? .contentTooLarge : .otherEncoder)
      }
    }
    let targets = StreamSelection.encodable(
      candidates.sorted { $0.begin < $1.begin }, fileSize: new.count, options: options, figures: &figures)
    self.figures = figures
    guard !targets.isEmpty else {
      (residual, streams) = (nil, [])
      return
    }
    let pairs = try StreamPairs.pairs(old: foundInOld.streams, in: old, new: targets, in: new)

    var taken = targets.flatMap(\.extents)
    taken.sort { $0.lowerBound < $1.lowerBound }
    let residual = try Residual(of: new, without: taken, in: directory)
    self.residual = residual
    let fileSize = max(old.count, new.count)
    streams = zip(targets, pairs).map { target, pair in
      let source = pair.map { foundInOld.streams[$0] }
      return PlannedStream(
        residualOffset: residual.offset(ofExtentAt: target.begin), target: target,
        source: StreamSelection.isEncodable(source, for: target, fileSize: fileSize, options: options)
          ? source : nil)
    }
  }

  /// Whether a stream and its source fit into a block together.
  private static func isEncodable(
    _ source: DeflateStream?, for target: DeflateStream, fileSize: Int, options: PatchMaker.Options
  ) -> Bool {
    guard let source, source.extents.count <= PatchLimits.maximumExtents else { return false }
    let extents = target.extents.count + source.extents.count
    return DeflateTargetEncoder.fits(extents: extents, fileSize: fileSize, options: options)
  }

  /// The streams that the format can encode: each fits into a block, and not too many of their extents are reserved at a
  /// time.
  ///
  /// They are in the order of where they begin.
  private static func encodable(
    _ streams: [DeflateStream], fileSize: Int, options: PatchMaker.Options, figures: inout StreamFigures
  ) -> [DeflateStream] {
    var position = OutputPosition()
    return streams.filter { stream in
      let isEncodable =
        stream.extents.count <= Tuning.StreamSelection.maximumExtents
        && DeflateTargetEncoder.fits(extents: stream.extents.count, fileSize: fileSize, options: options)
        && reserve(stream, at: &position)
      figures.count(stream, as: isEncodable ? .notSmaller : .tooManyExtents)
      return isEncodable
    }
  }

  /// Reserves the extents of a stream; false if there are too many.
  private static func reserve(_ stream: DeflateStream, at position: inout OutputPosition) -> Bool {
    position.move(to: UInt64(stream.begin))
    guard position.reservedCount + stream.extents.count <= PatchLimits.maximumExtents else { return false }
    for extent in stream.extents where !position.reserve(Extent(extent)) { return false }
    position.placeAround(0)
    return true
  }

  /// A part of the digest of the bytes of a file in some extents.
  private static func digest(
    of extents: [Range<Int>], in file: UnsafeBufferPointer<UInt8>
  ) throws(DeltaCreateError) -> UInt64 {
    do throws(HasherError) {
      var hasher = try Hasher()
      for extent in extents {
        let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: file[extent]))
        try hasher.update(RawSpan(_unsafeBytes: bytes))
      }
      return try hasher.finish().check
    } catch { throw .hashing }
  }
}
