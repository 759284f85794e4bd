internal import CLZMA

extension lzma_options_lzma {
  /// What compresses best for a preset of the `xz` program, 0 to 9, made extreme; with a dictionary of so many bytes.
  init(preset: UInt32, dictionarySize: UInt32) throws(CodecError) {
    self.init()
    guard lzma_lzma_preset(&self, tu_lzma_extreme(preset)) == 0 else { throw .unsupported }
    dict_size = dictionarySize
  }

  /// Calls `start` with the chain of the one filter that all our streams have: LZMA2 with these options.
  mutating func withFilters(_ start: ([lzma_filter]) -> lzma_ret) throws(CodecError) {
    let result = withUnsafeMutablePointer(to: &self) { options in
      start([
        lzma_filter(id: tu_lzma_filter_lzma2(), options: options),
        lzma_filter(id: tu_lzma_filter_end(), options: nil),
      ])
    }
    if let error = CodecError(result) { throw error }
  }
}
