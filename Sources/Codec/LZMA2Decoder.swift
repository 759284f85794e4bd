internal import CLZMA

/// A streaming decoder of raw LZMA2: no container, no check of its own.
///
/// Owns one `lzma_stream`. The stream itself holds the `lc`, `lp` and `pb` of the encoder; only the size of the dictionary has to
/// be known.
public struct LZMA2Decoder: ~Copyable {
  private var stream = tu_lzma_stream_init()
  private let dictionarySize: UInt32
  package private(set) var isFinished = false

  package init(dictionarySize: UInt32) throws(CodecError) {
    self.dictionarySize = dictionarySize
    try reset()
  }

  deinit {
    var stream = stream
    lzma_end(&stream)
  }

  /// Starts the next stream; the memory of the last one is reused.
  package mutating func reset() throws(CodecError) {
    var options = lzma_options_lzma()
    options.dict_size = dictionarySize
    try options.withFilters { lzma_raw_decoder(&stream, $0) }
    isFinished = false
  }

  /// Decodes from the front of `input` into the front of `output`.
  ///
  /// No progress means that more input is needed, or more room.
  package mutating func decode(
    _ input: RawSpan, into output: inout MutableRawSpan
  ) throws(CodecError) -> CodedBytes {
    let result = try stream.code(input, into: &output, action: LZMA_RUN)
    isFinished = result.isFinished
    return result.counts
  }

  /// The most memory that a decoder allocates, in bytes.
  ///
  /// liblzma 5.4 reports 65,592 bytes besides the dictionary; this figure leaves room for other versions, because publisher
  /// and device must agree on it. A test compares the two.
  package static func memoryNeeded(dictionarySize: UInt32) -> UInt64 { UInt64(dictionarySize) + (96 << 10) }
}
