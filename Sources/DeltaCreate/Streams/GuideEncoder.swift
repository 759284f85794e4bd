internal import Codec
internal import PatchFormat

/// Makes the guide of a stream: what differs from the predictions.
struct GuideEncoder: ~Copyable {
  private var predictor = MatchPredictor()

  /// A guide of at most `limit` bytes; nil if it, or a part of it, would be larger.
  mutating func guide(
    of stream: DeflateSymbols, content: UnsafeBufferPointer<UInt8>, _ parameters: PredictorParameters,
    limit: Int
  ) -> StreamGuide? {
    guard let guide = parts(of: stream, content: content, parameters, front: content.count, limit: limit),
      guide.size <= limit
    else { return nil }
    return StreamGuide(parameters: parameters, parts: guide.parts)
  }

  /// How many bytes a guide has for the blocks of a stream that begin in the front of its content; nil if there is none.
  mutating func size(
    of stream: DeflateSymbols, content: UnsafeBufferPointer<UInt8>, _ parameters: PredictorParameters,
    front: Int
  ) -> Int? {
    parts(of: stream, content: content, parameters, front: front, limit: .max / 4)?.size
  }

  private mutating func parts(
    of stream: DeflateSymbols, content: UnsafeBufferPointer<UInt8>, _ parameters: PredictorParameters,
    front: Int, limit: Int
  ) -> GuideParts? {
    predictor.reset(parameters)
    var guide = GuideParts(contentSize: content.count)
    var taken = 0
    /// Where the next symbol begins in the content.
    var position = 0
    for block in stream.blocks {
      // Of the whole content even an empty block at the end counts.
      if position >= front && front < content.count { return guide }
      guide.append(block.header, at: position)
      guard guide.size <= limit else { return nil }
      var left = block.stored ?? 0
      position += left
      while left > 0 {
        fill(content, &taken)
        let count = min(left, predictor.available)
        guard count > 0 else { return nil }
        predictor.advance(by: count)
        left -= count
      }
      guard block.stored == nil else { continue }
      /// How many predictions were right, and where the first of them begins.
      var run = (count: 0, start: position)
      for symbol in stream.symbols[block.symbols] {
        fill(content, &taken)
        let match = DeflateSymbols.match(symbol)
        let length = match?.length ?? 1
        guard predictor.available >= length else { return nil }
        if predictor.predict() == match {
          run.count += 1
        } else {
          guide.append(number: run.count, at: run.start)
          guide.append(correction(match), at: position)
          predictor.forget()
          run = (0, position + length)
          guard guide.size <= limit else { return nil }
        }
        predictor.advance(by: length)
        position += length
      }
      guide.append(number: run.count, at: run.start)
      guide.append([Guide.Correction.endOfBlock], at: position)
      predictor.forget()
    }
    return position == content.count ? guide : nil
  }

  /// Gives the predictor what it may see of the content.
  private mutating func fill(_ content: UnsafeBufferPointer<UInt8>, _ taken: inout Int) {
    guard predictor.available < MatchPredictor.lookahead, taken < content.count else { return }
    let rest = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: content[taken...]))
    taken += predictor.append(RawSpan(_unsafeBytes: rest))
  }

  /// What a guide has instead of a prediction.
  private mutating func correction(_ match: DeflateMatch?) -> [UInt8] {
    guard let match else { return [Guide.Correction.literal] }
    if Guide.Correction.nearest.contains(match.length),
      predictor.nearest(length: match.length) == match.distance
    {
      return [UInt8(match.length)]
    }
    let distance = match.distance - Deflate.distances.lowerBound
    return [
      Guide.Correction.match, UInt8(match.length - Deflate.lengths.lowerBound), UInt8(distance & 0xff),
      UInt8(distance >> 8),
    ]
  }
}

/// A guide in parts, as it is made.
private struct GuideParts {
  private(set) var parts: [[UInt8]]
  /// In bytes; larger than any limit if a part is too large.
  private(set) var size = 0

  init(contentSize: Int) {
    let count = max(1, (contentSize + Guide.partSize - 1) / Guide.partSize)
    parts = [[UInt8]](repeating: [], count: count)
  }

  /// Appends what belongs to a symbol at `position` of the content.
  mutating func append(_ bytes: [UInt8], at position: Int) {
    // The first part of the content that has everything that a prediction may need.
    let part = (position + MatchPredictor.lookahead - 1) / Guide.partSize
    let index = min(part, parts.count - 1)
    parts[index] += bytes
    size += bytes.count
    if parts[index].count > Guide.maximumPart { size = .max / 2 }
  }

  mutating func append(number: Int, at position: Int) {
    var bytes: [UInt8] = []
    Varint.append(UInt64(number), to: &bytes)
    append(bytes, at: position)
  }
}
