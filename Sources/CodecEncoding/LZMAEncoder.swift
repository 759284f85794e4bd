internal import CLZMA
package import Codec

/// A streaming encoder of LZMA2, raw or as an `.xz` file.
///
/// Owns one `lzma_stream`.
public struct LZMAEncoder: ~Copyable {
  private var stream = tu_lzma_stream_init()
  package private(set) var isFinished = false

  /// How far matches are searched for.
  package enum Search: Sendable {
    /// As far as it helps: preset 9, extreme, because only the publisher spends the time.
    case thorough
    /// Not far, in about a third of the time, but parsed as well: to compare sizes.
    case fast
  }

  /// Makes a raw stream of LZMA2.
  ///
  /// - `dictionarySize`: in bytes; a decoder needs that much memory, and a little more.
  package init(
    _ model: LZMAModel, dictionarySize: UInt32, search: Search = .thorough
  ) throws(CodecError) {
    var options = try lzma_options_lzma(preset: 9, dictionarySize: dictionarySize)
    options.lc = model.literalContext
    options.lp = model.literalPosition
    options.pb = model.position
    // A quarter of the depth of the preset: a fourteenth of the time of making a patch, for no bytes on ten pairs.
    options.depth = 128
    if search != .thorough {
      options.mf = LZMA_MF_HC4
      options.nice_len = 32
      options.depth = 8
    }
    try options.withFilters { lzma_raw_encoder(&stream, $0) }
  }

  /// Makes an `.xz` file with a CRC-64 check.
  ///
  /// - `xzPreset`: 0 to 9, as of the `xz` program, made extreme.
  /// - `dictionarySize`: in bytes; a decoder needs that much memory, and a little more.
  package init(xzPreset preset: UInt32, dictionarySize: UInt32) throws(CodecError) {
    var options = try lzma_options_lzma(preset: preset, dictionarySize: dictionarySize)
    try options.withFilters { lzma_stream_encoder(&stream, $0, LZMA_CHECK_CRC64) }
  }

  deinit {
    var stream = stream
    lzma_end(&stream)
  }

  /// Encodes from the front of `input` into the front of `output`.
  package mutating func encode(
    _ input: RawSpan, into output: inout MutableRawSpan, isLast: Bool
  ) throws(CodecError) -> CodedBytes {
    let result = try stream.code(input, into: &output, action: isLast ? LZMA_FINISH : LZMA_RUN)
    isFinished = result.isFinished
    return result.counts
  }
}

extension LZMAEncoder {
  /// Encodes bytes that are in memory as raw LZMA2; nil as soon as the result has `limit` bytes or more.
  package static func encode(
    _ bytes: RawSpan, dictionarySize: UInt32, model: LZMAModel, below limit: Int = .max
  ) throws(CodecError) -> [UInt8]? {
    var encoder = try LZMAEncoder(model, dictionarySize: dictionarySize)
    var result: [UInt8] = []
    try encoder.encodeAll(bytes) { piece in
      result += piece
      return result.count < limit
    }
    return result.count < limit ? result : nil
  }

  /// What the bytes have after a fast encoder: 1 to 30 % more than after `encode`, nearly the same part for similar bytes.
  package static func estimate(
    _ bytes: RawSpan, dictionarySize: UInt32, model: LZMAModel
  ) throws(CodecError) -> Int {
    var encoder = try LZMAEncoder(model, dictionarySize: dictionarySize, search: .fast)
    var size = 0
    try encoder.encodeAll(bytes) { piece in
      size += piece.count
      return true
    }
    return size
  }

  /// Encodes all of a stream; `take` returns whether to continue.
  private mutating func encodeAll(
    _ bytes: RawSpan, _ take: (ArraySlice<UInt8>) -> Bool
  ) throws(CodecError) {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var taken = 0
    while !isFinished {
      var span = piece.mutableSpan
      var room = span.mutableBytes
      let counts = try encode(bytes.extracting(taken...), into: &room, isLast: true)
      taken += counts.read
      guard take(piece[..<counts.written]) else { return }
    }
  }
}

extension lzma_options_lzma {
  /// The extreme variant of a preset of the `xz` program, 0 to 9, with a dictionary of that many bytes.
  fileprivate init(preset: UInt32, dictionarySize: UInt32) throws(CodecError) {
    self.init()
    guard lzma_lzma_preset(&self, tu_lzma_extreme(preset)) == 0 else { throw .unsupported }
    dict_size = dictionarySize
  }
}
