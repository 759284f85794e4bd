internal import CZlib

/// A streaming decoder of deflate streams, bare or wrapped.
///
/// Owns one `z_stream`, on the heap because zlib's state points back at it. A wrapper's checksum is verified before
/// the end is reported.
public struct Inflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  package private(set) var isFinished = false

  package init(_ wrapper: DeflateParameters.Wrapper) throws(CodecError) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // The largest window: it takes every stream.
    if let error = CodecError(zlib: tu_zlib_inflate_init(stream, wrapper.zlibWindowBits(MAX_WBITS))) {
      stream.deallocate()
      throw error
    }
    self.stream = stream
  }

  @inline(never) deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Starts the next stream, even after an error; the memory of the last one is reused.
  package mutating func reset(_ wrapper: DeflateParameters.Wrapper) throws(CodecError) {
    if let error = CodecError(zlib: inflateReset2(stream, wrapper.zlibWindowBits(MAX_WBITS))) { throw error }
    isFinished = false
  }

  /// Decodes from the front of `input` into the front of `output`.
  ///
  /// No progress means that more input is needed, or more room. Nothing is read after the end of the stream.
  package mutating func inflate(
    _ input: RawSpan, into output: inout MutableRawSpan
  ) throws(CodecError) -> CodedBytes {
    guard !isFinished else { return CodedBytes(read: 0, written: 0) }
    let (result, counts) = stream.code(input, into: &output, at: 0) { CZlib.inflate($0, Z_NO_FLUSH) }
    if let error = CodecError(zlib: result) { throw error }
    isFinished = result == Z_STREAM_END
    return counts
  }

  /// What was read and written since the last reset, also by the call that found an error; exact below 4 GiB.
  package var total: CodedBytes {
    CodedBytes(read: Int(clamping: stream.pointee.total_in), written: Int(clamping: stream.pointee.total_out))
  }

  /// The most memory that an inflater allocates, in bytes: its window and, as zconf.h has it, about 7 KiB.
  ///
  /// The figure has room for other versions, because publisher and device must agree on it. A test compares.
  package static let memoryNeeded: UInt64 = (1 << 15) + (12 << 10)
}
