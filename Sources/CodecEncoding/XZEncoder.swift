internal import CLZMA
package import Codec

/// A streaming encoder of an `.xz` file with a CRC-64 check.
///
/// Owns one `lzma_stream`.
public struct XZEncoder: ~Copyable {
  private var stream = tu_lzma_stream_init()
  package private(set) var isFinished = false

  /// - `preset`: 0 to 9, as of the `xz` program, made extreme.
  /// - `dictionarySize`: in bytes; a decoder needs that much memory, and a little more.
  package init(preset: UInt32 = 9, dictionarySize: UInt32) throws(CodecError) {
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
    let result = try stream.code(input, into: &output, isLast ? LZMA_FINISH : LZMA_RUN)
    isFinished = result.isFinished
    return result.counts
  }
}
