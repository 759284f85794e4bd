internal import CLZMA

/// Why compressed bytes were refused.
package enum CodecError: Error, Equatable {
  case notXZ, corrupt, truncated, unsupported
  case overMemoryLimit
  case outOfMemory

  /// Every `lzma_ret` by name; nil means keep going.
  init?(_ result: lzma_ret) {
    switch result {
    case LZMA_OK, LZMA_STREAM_END: return nil
    case LZMA_FORMAT_ERROR: self = .notXZ
    case LZMA_BUF_ERROR: self = .truncated
    case LZMA_OPTIONS_ERROR, LZMA_UNSUPPORTED_CHECK: self = .unsupported
    case LZMA_MEMLIMIT_ERROR: self = .overMemoryLimit
    case LZMA_MEM_ERROR: self = .outOfMemory
    default: self = .corrupt  // a C enum is open; an unknown code fails closed
    }
  }

  /// What is wrong, to stand behind a file's name.
  package var sentence: String {
    switch self {
    case .notXZ: "is not xz-compressed"
    case .corrupt: "holds damaged compressed data"
    case .truncated: "ends in the middle of its compressed data"
    case .unsupported: "uses a compression that this program does not know"
    case .overMemoryLimit: "needs more memory to unpack than it may use"
    case .outOfMemory: "could not be unpacked: no memory"
    }
  }
}

/// How much a call of a coder took and gave, in bytes.
package struct CodedBytes: Equatable {
  package let read: Int
  package let written: Int

  package init(read: Int, written: Int) {
    self.read = read
    self.written = written
  }
}

extension lzma_stream {
  /// One call of `lzma_code` over spans.
  mutating func code(
    _ input: RawSpan, into output: inout MutableRawSpan, _ action: lzma_action
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
