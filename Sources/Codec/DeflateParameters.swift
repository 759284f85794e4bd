internal import CZlib

/// Parameters of zlib's deflate: with equal parameters, equal bytes become an equal stream.
///
/// The words are those of `deflateInit2` in zlib.h. Level 0, which only stores, is left out.
package struct DeflateParameters: Equatable, Sendable {
  /// What is around the deflate stream.
  package enum Wrapper: UInt8, CaseIterable, Sendable {
    /// Nothing: RFC 1951.
    case raw
    /// A header of two bytes and an Adler-32: RFC 1950.
    case zlib
    /// The header of ten bytes that zlib itself writes (no time, no name, made on Unix), CRC-32 and size: RFC 1952.
    case gzip
  }

  package enum Strategy: UInt8, CaseIterable, Sendable {
    case normal, filtered, huffmanOnly, rle, fixed
  }

  /// 1…9.
  package let level: UInt8
  /// 9…15: matches reach back almost 2^windowBits bytes.
  ///
  /// zlib accepts 8 for the zlib wrapper only, and means 9.
  package let windowBits: UInt8
  /// 1…9: a block ends after 2^(memLevel + 6) - 1 symbols.
  package let memLevel: UInt8
  package let strategy: Strategy
  package let wrapper: Wrapper

  /// Nil for values that zlib does not support.
  package init?(
    level: UInt8, windowBits: UInt8 = 15, memLevel: UInt8 = 8, strategy: Strategy = .normal, wrapper: Wrapper
  ) {
    guard (1...9).contains(level), (9...15).contains(windowBits), (1...9).contains(memLevel) else {
      return nil
    }
    self.level = level
    self.windowBits = windowBits
    self.memLevel = memLevel
    self.strategy = strategy
    self.wrapper = wrapper
  }
}

// MARK: - As bytes

/// | offset | what |
/// | --: | --- |
/// | 0 | `level` in the low, `windowBits` in the high four bits |
/// | 1 | `memLevel` in the low, the number of the strategy in the high four bits |
/// | 2 | the number of the wrapper |
extension DeflateParameters {
  package static let encodedSize = 3

  package func encoded() -> [UInt8] {
    [level | windowBits << 4, memLevel | strategy.rawValue << 4, wrapper.rawValue]
  }

  /// Parses the first three bytes; nil if there are fewer, or one is out of bounds.
  package init?(parsing bytes: RawSpan) {
    guard bytes.byteCount >= DeflateParameters.encodedSize else { return nil }
    let (first, second, third) = unsafe (
      bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self),
      bytes.unsafeLoad(fromByteOffset: 1, as: UInt8.self),
      bytes.unsafeLoad(fromByteOffset: 2, as: UInt8.self)
    )
    guard let strategy = Strategy(rawValue: second >> 4), let wrapper = Wrapper(rawValue: third) else {
      return nil
    }
    self.init(
      level: first & 15, windowBits: first >> 4, memLevel: second & 15, strategy: strategy, wrapper: wrapper)
  }
}

// MARK: - As zlib takes them

extension DeflateParameters {
  /// The number with which zlib encodes both the size of the window and the wrapper.
  var zlibWindowBits: CInt { wrapper.zlibWindowBits(CInt(windowBits)) }
}

extension DeflateParameters.Wrapper {
  func zlibWindowBits(_ bits: CInt) -> CInt {
    switch self {
    case .raw: -bits
    case .zlib: bits
    case .gzip: bits + 16
    }
  }
}

extension DeflateParameters.Strategy {
  var zlibStrategy: CInt {
    switch self {
    case .normal: Z_DEFAULT_STRATEGY
    case .filtered: Z_FILTERED
    case .huffmanOnly: Z_HUFFMAN_ONLY
    case .rle: Z_RLE
    case .fixed: Z_FIXED
    }
  }
}
