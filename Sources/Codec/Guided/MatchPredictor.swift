/// Predicts how an encoder of deflate streams parses a content.
///
/// A prediction follows from the bytes before it, those up to `lookahead` after it, and what was predicted before. So a
/// device predicts what the publisher predicted, and needs only corrections.
package struct MatchPredictor: ~Copyable {
  private var index = MatchIndex()
  private var parameters = PredictorParameters.none
  /// The next byte to parse.
  private var position = 0
  /// The match that another one has waited for, and where it begins.
  private var awaited: (offset: Int, match: DeflateMatch)?

  package init() {}

  /// Starts a content.
  package mutating func reset(_ parameters: PredictorParameters) {
    self.parameters = parameters
    index.reset(parameters.index)
    position = 0
    awaited = nil
  }

  /// The bytes that have to be there before a prediction, or all that are left.
  package static var lookahead: Int { Deflate.lengths.upperBound + 8 }

  /// The memory that a predictor takes, in bytes.
  package static var memoryNeeded: UInt64 { MatchIndex.memoryNeeded }

  /// Takes from the front of `content`; returns how many bytes.
  package mutating func append(_ content: RawSpan) -> Int {
    let moved = index.slide(position)
    position -= moved
    if let awaited { self.awaited = (awaited.offset - moved, awaited.match) }
    return index.append(content)
  }

  /// How many bytes from the next one on are here.
  package var available: Int { index.end - position }

  /// A byte that is available.
  package subscript(ahead: Int) -> UInt8 { index[position + ahead] }

  /// What comes next: a match, or nil for a literal.
  ///
  /// At least one byte is available.
  package mutating func predict() -> DeflateMatch? {
    var current: DeflateMatch?
    if let awaited, awaited.offset >= position {
      // Not there yet: one more literal.
      guard awaited.offset == position else { return nil }
      current = awaited.match
    } else {
      current = longest(at: 0, above: parameters.leastLength - 1, depth: parameters.depth)
      if let match = current, match.length == 3, match.distance > parameters.farthestShort { current = nil }
    }
    awaited = nil
    guard let match = current else { return nil }
    guard parameters.rule != .greedy, match.length < parameters.lazyLength else { return match }
    awaited = better(than: match)
    return awaited == nil ? match : nil
  }

  /// Continues after a literal or a match of that many bytes.
  package mutating func advance(by length: Int) {
    position += length
    if let awaited, awaited.offset < position { self.awaited = nil }
  }

  /// Forgets what was predicted: what came was something else, or a block ended.
  package mutating func forget() { awaited = nil }

  /// The distance of the nearest match with at least that many bytes; nil if there is none.
  package mutating func nearest(length: Int) -> Int? { index.nearest(at: position, length: length) }

  private mutating func longest(at ahead: Int, above: Int, depth: Int) -> DeflateMatch? {
    index.longest(
      at: position + ahead,
      .init(
        above: above, depth: depth, niceLength: parameters.niceLength,
        maximumDistance: parameters.maximumDistance))
  }

  /// A match that is worth more than one at the next byte, and literals before it.
  private mutating func better(than match: DeflateMatch) -> (offset: Int, match: DeflateMatch)? {
    if parameters.rule == .longer {
      let depth = match.length >= parameters.goodLength ? parameters.depth >> 2 : parameters.depth
      guard depth > 0, let next = longest(at: 1, above: match.length, depth: depth) else { return nil }
      return (position + 1, next)
    }
    for ahead in 1...(parameters.rule == .cheaperTwice ? 2 : 1) {
      let depth = parameters.depth >> ahead
      guard depth > 0, let next = longest(at: ahead, above: match.length - 1, depth: depth) else { continue }
      let bits = Deflate.logarithm(match.distance) - Deflate.logarithm(next.distance)
      if 4 * (next.length - match.length) + bits > 4 * ahead - 2 { return (position + ahead, next) }
    }
    return nil
  }
}

extension PredictorParameters {
  /// How far back matches reach.
  fileprivate var maximumDistance: Int {
    switch rule {
    case .greedy, .longer: 32506
    case .cheaper, .cheaperTwice: 32767
    }
  }

  /// How far back matches of three bytes reach: three literals take fewer bits.
  fileprivate var farthestShort: Int {
    switch rule {
    case .greedy, .longer: 4096
    case .cheaper, .cheaperTwice: 8192
    }
  }
}
