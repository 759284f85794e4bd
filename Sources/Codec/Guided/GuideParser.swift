/// The corrections that make one deflate stream out of predictions.
///
/// A content of more than `partSize` bytes comes in parts, each after the part of the guide for the symbols that begin at least
/// `MatchPredictor.lookahead` bytes before its end; the last one has what is left. So a reader holds one part.
///
/// A guide is a sequence of blocks, each with
///
/// | size | field |
/// | --: | --- |
/// | 1 | bit 0: the last block; bits 1 and 2: BTYPE of RFC 1951 |
/// | 2 | stored: how many bytes |
/// | | dynamic: the codes, below |
/// | | otherwise: runs of right predictions, each a number, and after each of them a correction |
///
/// A correction is one byte, `Correction`, with up to three after it. The last one of a block ends it.
///
/// Codes are HLIT, HDIST and HCLEN with a byte each, the HCLEN + 4 lengths of codes for code lengths with a byte each, and
/// the code lengths: a byte up to 15 is one, and larger ones repeat. 16 to 19 are 3 to 6 times the last, 20 to 27 are 3 to
/// 10 zeros, and 28 to 155 are 11 to 138 zeros.
package enum Guide {
  /// The largest part of a guide, in bytes.
  package static let maximumPart = 64 << 10
  /// The size of all parts of a content but the last, in bytes.
  package static let partSize = 64 << 10

  /// What the first byte of a correction means; from 3 on it is the length of a match, at the nearest distance that has one.
  package enum Correction {
    package static let literal: UInt8 = 0
    package static let endOfBlock: UInt8 = 1
    /// The length - 3 follows in one byte, and the distance - 1 in two.
    package static let match: UInt8 = 2
    package static let nearest = 3...255
  }

  /// The first bytes that repeat code lengths.
  package enum Repeat {
    package static let last = 16
    package static let zeros = 20
    package static let manyZeros = 28
    package static let end = 156
  }
}

/// Reads a guide, part by part.
struct GuideParser: ~Copyable {
  private var bytes: [UInt8]
  /// The bytes that are here of the part, and those that were read.
  private var count = 0
  private var offset = 0

  init() { bytes = [UInt8](repeating: 0, count: Guide.maximumPart) }

  /// Forgets the part before.
  mutating func reset() {
    count = 0
    offset = 0
  }

  /// Whether everything was read.
  var isAtEnd: Bool { offset == count }

  /// Takes the next bytes of the part, which has at most `Guide.maximumPart`.
  mutating func append(_ input: RawSpan) {
    let start = count
    bytes.withUnsafeMutableBytes { bytes in
      input.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).copyMemory(from: $0) }
    }
    count += input.byteCount
  }

  mutating func byte() throws(CodecError) -> UInt8 {
    guard offset < count else { throw .truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func twoBytes() throws(CodecError) -> Int {
    let low = Int(try byte())
    return low | Int(try byte()) << 8
  }

  /// A number in LEB128, below 2^28.
  mutating func number() throws(CodecError) -> Int {
    var value = 0
    for shift in stride(from: 0, to: 28, by: 7) {
      let byte = try byte()
      value |= Int(byte & 0x7f) << shift
      guard byte >= 0x80 else {
        // Only the shortest form.
        guard byte > 0 || shift == 0 else { throw .corrupt }
        return value
      }
    }
    throw .corrupt
  }
}
