internal import CLZMA
package import Codec

/// A streaming encoder of raw LZMA2.
///
/// Owns one `lzma_stream`.
public struct LZMA2Encoder: ~Copyable {
  private var stream = tu_lzma_stream_init()
  package private(set) var isFinished = false

  /// Preset 9, extreme: it compresses best, and only the publisher spends the time.
  package init(dictionarySize: UInt32, model: LZMAModel) throws(CodecError) {
    var options = try lzma_options_lzma(preset: 9, dictionarySize: dictionarySize)
    options.lc = model.literalContext
    options.lp = model.literalPosition
    options.pb = model.position
    options.nice_len = model.niceLength
    try options.withFilters { lzma_raw_encoder(&stream, $0) }
  }

  deinit {
    var stream = stream
    lzma_end(&stream)
  }

  /// Encodes from the front of `input` into the front of `output`.
  package mutating func encode(
    _ input: RawSpan, into output: inout MutableRawSpan, isLast: Bool
  ) throws(CodecError) -> CodedBytes {
    let result = try stream.code(input, into: &output, isLast ? LZMA_FINISH : LZMA_RUN)
    isFinished = result.isFinished
    return result.counts
  }
}

extension LZMA2Encoder {
  /// Encodes bytes that are in memory.
  package static func encode(
    _ bytes: RawSpan, dictionarySize: UInt32, model: LZMAModel
  ) throws(CodecError) -> [UInt8] {
    try encode(bytes, dictionarySize: dictionarySize, model: model, below: .max) ?? []  // never nil
  }

  /// Encodes bytes that are in memory; nil as soon as the result has `limit` bytes or more.
  package static func encode(
    _ bytes: RawSpan, dictionarySize: UInt32, model: LZMAModel, below limit: Int
  ) throws(CodecError) -> [UInt8]? {
    var encoder = try LZMA2Encoder(dictionarySize: dictionarySize, model: model)
    var result: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var taken = 0
    while !encoder.isFinished {
      var span = piece.mutableSpan
      var room = span.mutableBytes
      let counts = try encoder.encode(bytes.extracting(taken...), into: &room, isLast: true)
      taken += counts.read
      result += piece[..<counts.written]
      if result.count >= limit { return nil }
    }
    return result
  }
}
