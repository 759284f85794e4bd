internal import CLZMA

/// A streaming decoder of an `.xz` file with a hard memory ceiling.
///
/// Owns one `lzma_stream`.
public struct XZDecoder: ~Copyable {
  private var stream = tu_lzma_stream_init()
  package private(set) var isFinished = false

  /// `memoryLimit`: bytes that the decoder may allocate; the file's own header says what it needs.
  package init(memoryLimit: UInt64) throws(CodecError) {
    if let error = CodecError(lzma_stream_decoder(&stream, memoryLimit, 0)) { throw error }
  }

  @inline(never) deinit {
    var stream = stream  // deinit sees `self` as immutable; lzma_end only frees what it points to
    lzma_end(&stream)
  }

  /// Decodes from the front of `input` into the front of `output`.
  ///
  /// `isLast`: nothing follows `input`; an end before the stream's own is then an error.
  package mutating func decode(
    _ input: RawSpan, into output: inout MutableRawSpan, isLast: Bool
  ) throws(CodecError) -> CodedBytes {
    let result = try stream.code(input, into: &output, action: isLast ? LZMA_FINISH : LZMA_RUN)
    isFinished = result.isFinished
    return result.counts
  }
}
