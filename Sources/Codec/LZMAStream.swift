package import CLZMA

extension lzma_stream {
  /// Calls `lzma_code` once over spans.
  package mutating func code(
    _ input: RawSpan, into output: inout MutableRawSpan, action: lzma_action
  ) throws(CodecError) -> (counts: CodedBytes, isFinished: Bool) {
    let capacity = output.byteCount
    let result = input.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { output in
        next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        avail_in = input.count
        next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        avail_out = output.count
        return lzma_code(&self, action)
      }
    }
    // No progress on an empty input only asks for more of it.
    if let error = CodecError(result), !(error == .truncated && action == LZMA_RUN) { throw error }
    let counts = CodedBytes(read: input.byteCount - avail_in, written: capacity - avail_out)
    return (counts, result == LZMA_STREAM_END)
  }
}
