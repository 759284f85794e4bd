internal import Codec
internal import PatchFormat

/// Makes the guide of a stream: what differs from the predictions.
struct GuideEncoder: ~Copyable {
  private var predictor = MatchPredictor()

  /// A guide of at most `limit` bytes; nil if it would be larger.
  mutating func guide(
    of stream: DeflateSymbols, content: UnsafeBufferPointer<UInt8>, _ parameters: PredictorParameters,
    limit: Int
  ) -> [UInt8]? {
    predictor.reset(parameters)
    var guide: [UInt8] = []
    var taken = 0
    for block in stream.blocks {
      guide += block.header
      guard guide.count <= limit else { return nil }
      var left = block.stored ?? 0
      while left > 0 {
        fill(content, &taken)
        let count = min(left, predictor.available)
        guard count > 0 else { return nil }
        predictor.advance(by: count)
        left -= count
      }
      guard block.stored == nil else { continue }
      var run = 0
      for symbol in stream.symbols[block.symbols] {
        fill(content, &taken)
        let match = DeflateSymbols.match(symbol)
        guard predictor.available >= match?.length ?? 1 else { return nil }
        if predictor.predict() == match {
          run += 1
        } else {
          Varint.append(UInt64(run), to: &guide)
          append(match, to: &guide)
          predictor.forget()
          run = 0
          guard guide.count <= limit else { return nil }
        }
        predictor.advance(by: match?.length ?? 1)
      }
      Varint.append(UInt64(run), to: &guide)
      guide.append(Guide.Correction.endOfBlock)
      predictor.forget()
    }
    return guide.count <= limit && predictor.available == 0 && taken == content.count ? guide : nil
  }

  /// Gives the predictor what it may see of the content.
  private mutating func fill(_ content: UnsafeBufferPointer<UInt8>, _ taken: inout Int) {
    guard predictor.available < MatchPredictor.lookahead, taken < content.count else { return }
    let rest = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: content[taken...]))
    taken += predictor.append(RawSpan(_unsafeBytes: rest))
  }

  /// Appends a correction.
  private mutating func append(_ match: DeflateMatch?, to guide: inout [UInt8]) {
    guard let match else { return guide.append(Guide.Correction.literal) }
    if Guide.Correction.nearest.contains(match.length),
      predictor.nearest(length: match.length) == match.distance
    {
      return guide.append(UInt8(match.length))
    }
    let distance = match.distance - Deflate.distances.lowerBound
    guide += [
      Guide.Correction.match, UInt8(match.length - Deflate.lengths.lowerBound), UInt8(distance & 0xff),
      UInt8(distance >> 8),
    ]
  }
}
