internal import Crypto
internal import PatchFormat

/// Which deflate streams of a new file are made of their contents, and from which old ones.
struct StreamPlan {
  /// The new file without these streams.
  let rest: RestOfFile
  let streams: [PlannedStream]

  struct PlannedStream {
    /// How many bytes of `rest` stand before it.
    let offset: Int
    let target: DeflateStream
    let source: DeflateStream?
  }

  /// Nil if there is none that is worth it: what the old file holds bit for bit is copied as it is.
  ///
  /// - `memory`: the bytes that making the patch may take.
  /// - `unsearched`: grows by the bytes of both files that were not looked at.
  init?(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, memory: Int, _ unsearched: inout Int
  ) throws(DeltaCreateError) {
    let most = DeflateLimits.maximumExtents(memory: memory)
    let found = try DeflateFinder.search(new, for: .target, maximumExtents: most)
    unsearched += found.unsearched
    guard !found.streams.isEmpty else { return nil }
    var sources: [DeflateStream] = []
    if !old.isEmpty {
      let found = try DeflateFinder.search(old, for: .source, maximumExtents: most)
      sources = found.streams
      unsearched += found.unsearched
    }
    var known = Set<UInt64>()
    for source in sources { known.insert(try StreamPlan.digest(of: source, in: old)) }
    var unknown: [DeflateStream] = []
    for stream in found.streams where !known.contains(try StreamPlan.digest(of: stream, in: new)) {
      unknown.append(stream)
    }
    let targets = StreamPlan.possible(unknown.sorted { $0.begin < $1.begin })
    guard !targets.isEmpty else { return nil }
    let pairs = try StreamPairs.pairs(old: sources, in: old, new: targets, in: new)

    var claimed = targets.flatMap(\.extents)
    claimed.sort { $0.lowerBound < $1.lowerBound }
    // Where the bytes before each claimed stretch end in the rest.
    var offsets: [Int: Int] = [:]
    var claimedBytes = 0
    for extent in claimed {
      offsets[extent.lowerBound] = extent.lowerBound - claimedBytes
      claimedBytes += extent.count
    }
    rest = RestOfFile(of: new, without: claimed)
    streams = zip(targets, pairs).map { target, pair in
      PlannedStream(
        offset: offsets[target.begin] ?? 0, target: target, source: pair.map { sources[$0] })
    }
  }

  /// The streams that the format can tell: not too many parts of them are open at a time.
  ///
  /// They are in the order of their beginnings.
  private static func possible(_ streams: [DeflateStream]) -> [DeflateStream] {
    var position = OutputPosition()
    return streams.filter { stream in
      guard stream.parameters != nil, stream.extents.count <= maximumExtents else { return false }
      position.move(to: UInt64(stream.begin))
      guard position.reservedCount + stream.extents.count <= PatchLimits.maximumExtents else { return false }
      for extent in stream.extents where !position.reserve(Extent(extent)) { return false }
      position.placeAround(0)
      return true
    }
  }

  /// A part of the digest of a stream's bytes as they stand in a file.
  private static func digest(
    of stream: DeflateStream, in file: UnsafeBufferPointer<UInt8>
  ) throws(DeltaCreateError) -> UInt64 {
    do throws(HasherError) {
      var hasher = try Hasher()
      for extent in stream.extents {
        let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: file[extent]))
        try hasher.update(RawSpan(_unsafeBytes: bytes))
      }
      return try hasher.finish().check
    } catch { throw .hashing }
  }

  /// The most parts of a stream: what a block says of it has to fit well into the smallest block.
  private static var maximumExtents: Int { 1024 }
}
