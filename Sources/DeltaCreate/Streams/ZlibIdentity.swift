internal import Codec
internal import Crypto

/// Whether the zlib of this process makes the same streams as devices.
///
/// A patch encodes a stream as its content and the parameters of one call of `deflate`. The bytes depend on the
/// implementation: zlib-ng makes different ones by design. Devices have zlib 1.2.13, so a fixed content is compressed
/// with the parameters that `ParameterSearch` tries, and the result compared with what that version makes.
enum ZlibIdentity {
  /// Computed once in a process.
  static let isKnown = digest() == known

  /// The SHA-256 of all streams of zlib 1.2.13, one after the other.
  private static let known = "0bdc3206c51c8ee3255e4986f6b52c35e5149ff6853e2bc9e65db9fb8f540d0d"

  /// Nil if zlib or the cryptographic library refuses.
  private static func digest() -> String? {
    let content = content()
    do throws(CodecError) {
      guard let first = parameters.first else { return nil }
      var deflater = try Deflater(first)
      var streams: [UInt8] = []
      for parameters in parameters {
        try deflater.reset(parameters)
        let count = parameters.isLong ? content.count : shortContent
        try append(content.span.bytes.extracting(first: count), with: &deflater, to: &streams)
      }
      do throws(HasherError) { return try Hasher.digest(of: streams.span.bytes).hex } catch { return nil }
    } catch { return nil }
  }

  private static func append(
    _ content: RawSpan, with deflater: inout Deflater, to streams: inout [UInt8]
  ) throws(CodecError) {
    var space = [UInt8](repeating: 0, count: 16 << 10)
    var taken = 0
    while !deflater.isFinished {
      var span = space.mutableSpan
      var output = span.mutableBytes
      let counts = try deflater.deflate(content.extracting(taken...), into: &output, isLast: true)
      taken += counts.read
      streams += space[..<counts.written]
      // A zlib that makes no progress is not the right one either.
      if counts.read + counts.written == 0 { throw .corrupt }
    }
  }

  /// Every level and strategy, windows of every size, both sizes of the hash table: with the front of the content, which
  /// is enough to see another search for matches or other codes.
  private static let parameters: [DeflateParameters] = {
    var all: [DeflateParameters?] = []
    for level in 1...9 as ClosedRange<UInt8> {
      all.append(DeflateParameters(level: level, wrapper: .gzip))
      all.append(DeflateParameters(level: level, memLevel: 9, strategy: .filtered, wrapper: .zlib))
    }
    for strategy in [DeflateParameters.Strategy.huffmanOnly, .rle, .fixed] {
      all.append(DeflateParameters(level: 1, strategy: strategy, wrapper: .raw))
    }
    for windowBits in 9...14 as ClosedRange<UInt8> {
      all.append(DeflateParameters(level: 6, windowBits: windowBits, memLevel: 9, wrapper: .raw))
    }
    return all.compactMap { $0 }
  }()

  /// In bytes.
  private static var shortContent: Int { 12_000 }

  /// Words, some of them often, and passages repeated from as far back as a match can reach.
  ///
  /// Long enough for the largest window to be moved once.
  private static func content() -> [UInt8] {
    var state: UInt64 = 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let words = (0..<300).map { _ in (0..<2 + next(9)).map { _ in UInt8(97 + next(26)) } }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(80_000)
    while bytes.count < 75_000 {
      if next(40) == 0 {
        let start = bytes.count - min(bytes.count, 1 + next(33_000))
        bytes += bytes[start..<min(start + 3 + next(400), bytes.count)]
      } else {
        bytes += words[min(next(300), next(300))]
        bytes.append(UInt8(next(6) == 0 ? next(256) : 32))
      }
    }
    return bytes
  }
}

extension DeflateParameters {
  /// Whether all of the content is compressed: once by each function that searches, with the two largest windows.
  fileprivate var isLong: Bool {
    wrapper != .zlib && strategy == .normal && windowBits >= 14 && [1, 6, 9].contains(level)
  }
}
