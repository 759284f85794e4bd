/// How a `MatchPredictor` parses a content.
///
/// | offset | what |
/// | --: | --- |
/// | 0 | 0 in the low, the number of the rule in the high four bits |
/// | 1 | `leastLength` in the low, the number of the index in the high four bits |
/// | 2 | `depth`, in two bytes |
/// | 4 | `niceLength` - 3 |
/// | 5 | `lazyLength` - 3 |
/// | 6 | `goodLength` - 3 |
package struct PredictorParameters: Equatable, Sendable {
  /// Whether a match waits for a better one at the next byte.
  package enum Rule: UInt8, CaseIterable, Sendable {
    /// It does not.
    case greedy
    /// For a longer one.
    case longer
    /// For one that takes fewer bits, by an estimate.
    case cheaper
    /// For one that takes fewer bits, at the next byte or the one after it.
    case cheaperTwice
  }

  /// Which earlier bytes a match is searched among.
  package enum Index: UInt8, CaseIterable, Sendable {
    /// Those whose first three bytes have the same hash.
    case three
    /// Those whose first four bytes have the same hash.
    case four
    /// The latest whose first three bytes have the same hash, and those whose first four do.
    case fourAndThree
  }

  package let rule: Rule
  package let index: Index
  /// The shortest match, in bytes: 3…15.
  package let leastLength: Int
  /// How many earlier bytes are tried: 1…4096.
  package let depth: Int
  /// A match as long ends a search: 3…258.
  package let niceLength: Int
  /// A match as long does not wait: 3…258.
  package let lazyLength: Int
  /// While a match as long waits, with rule `longer`, a quarter of `depth` is tried: 3…258.
  package let goodLength: Int

  /// Nil for values out of bounds.
  package init?(
    _ rule: Rule, _ index: Index, leastLength: Int = 3, depth: Int, niceLength: Int, lazyLength: Int = 258,
    goodLength: Int = 258
  ) {
    guard (3...15).contains(leastLength), (1...PredictorParameters.maximumDepth).contains(depth),
      Deflate.lengths.contains(niceLength), Deflate.lengths.contains(lazyLength),
      Deflate.lengths.contains(goodLength)
    else { return nil }
    self.rule = rule
    self.index = index
    self.leastLength = leastLength
    self.depth = depth
    self.niceLength = niceLength
    self.lazyLength = lazyLength
    self.goodLength = goodLength
  }

  /// Those of no content.
  static let none = PredictorParameters()

  private init() {
    (rule, index, leastLength, depth) = (.greedy, .three, 3, 1)
    (niceLength, lazyLength, goodLength) = (258, 258, 258)
  }

  /// The most earlier bytes that a search tries: what zlib tries at level 9.
  package static let maximumDepth = 4096
}

// MARK: - As bytes

extension PredictorParameters {
  package static let encodedSize = 7

  package func encoded() -> [UInt8] {
    [
      rule.rawValue << 4, UInt8(leastLength) | index.rawValue << 4, UInt8(depth & 0xff), UInt8(depth >> 8),
      UInt8(niceLength - 3), UInt8(lazyLength - 3), UInt8(goodLength - 3),
    ]
  }

  /// Parses the first seven bytes; nil if there are fewer, or one is out of bounds.
  package init?(parsing bytes: Span<UInt8>) {
    guard bytes.count >= PredictorParameters.encodedSize, bytes[0] & 15 == 0,
      let rule = Rule(rawValue: bytes[0] >> 4), let index = Index(rawValue: bytes[1] >> 4)
    else { return nil }
    self.init(
      rule, index, leastLength: Int(bytes[1] & 15), depth: Int(bytes[2]) | Int(bytes[3]) << 8,
      niceLength: Int(bytes[4]) + 3, lazyLength: Int(bytes[5]) + 3, goodLength: Int(bytes[6]) + 3)
  }
}
