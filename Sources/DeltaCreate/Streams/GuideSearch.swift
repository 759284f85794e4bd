internal import Codec

/// Finds the smallest guide with which a stream is rebuilt that zlib does not make.
///
/// The encoder is not known, so several predictions are tried: all of them on the first streams, then those whose guides were
/// the smallest. What was tried in vain is bounded by what was not.
struct GuideSearch: ~Copyable {
  private var encoder = GuideEncoder()
  private var deflater = GuidedDeflater()
  private let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
  /// The bytes of the guides with each candidate, as far as all were tried, and of their streams.
  private var sizes = candidates.map { _ in 0 }
  private var compared = 0
  /// The numbers of the candidates, the best first.
  private var ranking = Array(candidates.indices)
  private var hasFailed = false
  /// Bytes of contents, each time that a guide was made: of those that were used, and of others.
  private var used = 0
  private var wasted = 0

  init() {}

  deinit { space.deallocate() }

  /// The guide of the deflate stream within a wrapper; nil if there is none that is worth it.
  mutating func find(_ content: UnsafeBufferPointer<UInt8>, of stream: WrappedStream) -> StreamGuide? {
    guard !stream.body.isEmpty, wasted <= Tuning.GuideSearch.maximumWaste + 8 * used else { return nil }
    let comparesAll = compared < Tuning.GuideSearch.maximumCompared || hasFailed
    let tried = comparesAll ? ranking : Array(ranking.prefix(Tuning.GuideSearch.maximumTried))
    let extents = stream.bodyExtents
    var guide: StreamGuide?
    if let symbols = GuideSearch.symbols(of: extents, in: stream.file), symbols.contentSize == content.count {
      guide = smallest(symbols, content, size: stream.body.count, trying: tried, comparesAll: comparesAll)
    }
    hasFailed = guide.map { !makes(extents, of: stream.file, from: content, guide: $0) } ?? true
    if hasFailed { wasted += tried.count * content.count } else { used += tried.count * content.count }
    return hasFailed ? nil : guide
  }

  private static func symbols(
    of extents: [Range<Int>], in file: UnsafeBufferPointer<UInt8>
  ) -> DeflateSymbols? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(extents.reduce(0) { $0 + $1.count })
    for extent in extents { bytes += file[extent] }
    return bytes.withUnsafeBufferPointer { DeflateSymbols($0) }
  }

  private mutating func smallest(
    _ symbols: DeflateSymbols, _ content: UnsafeBufferPointer<UInt8>, size: Int,
    trying numbers: [Int], comparesAll: Bool
  ) -> StreamGuide? {
    var numbers = numbers
    if comparesAll && content.count > 2 * Tuning.GuideSearch.front {
      // The front of a long content says which predictions suit it.
      let sizes = numbers.map {
        encoder.size(
          of: symbols, content: content, GuideSearch.candidates[$0], front: Tuning.GuideSearch.front)
          ?? .max
      }
      let order = numbers.indices.sorted { (sizes[$0], $0) < (sizes[$1], $1) }
      numbers = order.prefix(Tuning.GuideSearch.maximumTried).map { numbers[$0] }
    }
    // LZMA makes less than half of a guide, and something has to be left for the content.
    let limit = size / 4 * 3
    var best: StreamGuide?
    for number in numbers {
      let guide = encoder.guide(
        of: symbols, content: content, GuideSearch.candidates[number],
        limit: best.map { $0.size - 1 } ?? limit)
      if comparesAll { sizes[number] += guide?.size ?? limit }
      best = guide ?? best
    }
    if comparesAll {
      compared += size
      for number in ranking where !numbers.contains(number) { sizes[number] += limit }
      let sizes = sizes
      ranking.sort { (sizes[$0], $0) < (sizes[$1], $1) }
    }
    return best
  }

  /// Whether the device makes exactly these bytes.
  private mutating func makes(
    _ extents: [Range<Int>], of file: UnsafeBufferPointer<UInt8>, from content: UnsafeBufferPointer<UInt8>,
    guide: StreamGuide
  ) -> Bool {
    var made = ExtentCursor(file: file, extents: extents)
    let input = guide.made(with: content)
    var taken = 0
    do throws(CodecError) {
      try deflater.reset(
        guide.parameters, guideSize: UInt64(guide.size), contentSize: UInt64(content.count))
      while !deflater.isFinished {
        var output = MutableRawSpan(_unsafeBytes: space)
        let counts = try deflater.deflate(input.span.bytes.extracting(taken...), into: &output)
        taken += counts.read
        guard counts.written > 0,
          made.advance(over: UnsafeRawBufferPointer(rebasing: space[..<counts.written]))
        else {
          return false
        }
      }
    } catch { return false }
    return made.isAtEnd
  }
}

extension GuideSearch {
  /// Predictions of what encoders do, the most likely first.
  private static let candidates: [PredictorParameters] = [
    // libdeflate 6, 5, 7, 9.
    PredictorParameters(.cheaper, .fourAndThree, depth: 35, niceLength: 65, lazyLength: 65),
    PredictorParameters(.cheaper, .fourAndThree, depth: 16, niceLength: 30, lazyLength: 30),
    PredictorParameters(.cheaper, .fourAndThree, depth: 100, niceLength: 130, lazyLength: 130),
    PredictorParameters(.cheaperTwice, .fourAndThree, depth: 600, niceLength: 258),
    // zlib-ng, and ISA-L.
    PredictorParameters(.greedy, .four, depth: 128, niceLength: 128),
    PredictorParameters(.greedy, .four, depth: 8, niceLength: 32),
    PredictorParameters(.greedy, .fourAndThree, leastLength: 4, depth: 32, niceLength: 64),
    // Those like zlib: gzip, miniz, Go.
    PredictorParameters(.longer, .three, depth: 128, niceLength: 128, lazyLength: 16, goodLength: 8),
    PredictorParameters(.longer, .three, depth: 1024, niceLength: 258),
    PredictorParameters(.longer, .four, depth: 128, niceLength: 128, lazyLength: 16, goodLength: 8),
    PredictorParameters(.greedy, .three, depth: 4, niceLength: 16),
    // Those that optimize: zopfli, 7-Zip, libdeflate from 10 on. They avoid short matches.
    PredictorParameters(.cheaperTwice, .fourAndThree, leastLength: 4, depth: 600, niceLength: 258),
    PredictorParameters(.cheaperTwice, .fourAndThree, leastLength: 5, depth: 600, niceLength: 258),
    PredictorParameters(.cheaperTwice, .fourAndThree, leastLength: 6, depth: 600, niceLength: 258),
  ].compactMap { $0 }
}
