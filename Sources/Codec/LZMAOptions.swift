package import CLZMA

extension lzma_options_lzma {
  /// Calls `start` with a filter chain of LZMA2 with these options, which all our streams have.
  package mutating func withFilters(_ start: ([lzma_filter]) -> lzma_ret) throws(CodecError) {
    let result = withUnsafeMutablePointer(to: &self) { options in
      start([
        lzma_filter(id: tu_lzma_filter_lzma2(), options: options),
        lzma_filter(id: tu_lzma_filter_end(), options: nil),
      ])
    }
    if let error = CodecError(result) { throw error }
  }
}
