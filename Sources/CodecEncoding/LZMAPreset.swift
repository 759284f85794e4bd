internal import CLZMA
internal import Codec

extension lzma_options_lzma {
  /// The extreme variant of a preset of the `xz` program, 0 to 9, with a dictionary of that many bytes.
  init(preset: UInt32, dictionarySize: UInt32) throws(CodecError) {
    self.init()
    guard lzma_lzma_preset(&self, tu_lzma_extreme(preset)) == 0 else { throw .unsupported }
    dict_size = dictionarySize
  }
}
