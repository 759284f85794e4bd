package import CLZMA

/// Why compressed bytes were refused.
package enum CodecError: Error, Equatable {
  case notXZ, corrupt, truncated, unsupported
  case overMemoryLimit
  case outOfMemory

  /// Every `lzma_ret` by name; nil means keep going.
  package init?(_ result: lzma_ret) {
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

  /// What is wrong, to follow a file's name.
  package var sentence: String {
    switch self {
    case .notXZ: "is not xz-compressed"
    case .corrupt: "has damaged compressed data"
    case .truncated: "has truncated compressed data"
    case .unsupported: "uses an unsupported compression method"
    case .overMemoryLimit: "needs more memory for decompression than allowed"
    case .outOfMemory: "could not be decompressed: out of memory"
    }
  }
}
