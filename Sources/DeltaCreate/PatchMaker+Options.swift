package import CodecEncoding
internal import PatchFormat

extension PatchMaker {
  /// Options of a patch; sizes are in bytes.
  ///
  /// The defaults come from the measurements in `bench/results.md`.
  package struct Options: Sendable {
    /// The valid values of `dictionarySize`: from the smallest that LZMA allows to the largest of the format.
    package static var dictionarySizes: ClosedRange<UInt32> { 4 << 10...DictionaryCode.maximumSize }

    /// The dictionary that the decoder on the device needs; smaller patches need a smaller one.
    package var dictionarySize: UInt32 = 1 << 20
    /// The largest payload of a frame, the unit of authentication.
    package var payloadSize: UInt32 = 64 << 10
    /// The largest block, the unit of execution.
    package var blockSize: UInt32 = 128 << 10
    /// The bytes of blocks after which a section ends.
    package var sectionSize = 4 << 20
    /// The bytes of the new file after which a section ends, whatever its blocks.
    package var sectionOutput = 64 << 20
    /// The matchings that are tried on every file; at least one.
    package var matchings = [Matching(gain: 8, equal: 2), Matching(gain: 24)]
    /// More matchings, to choose copies from if the patch is small: there they help, and cost little.
    package var furtherMatchings = [Matching(gain: 6), Matching(gain: 14)]
    /// The estimated costs with which copies are chosen from all matchings.
    package var costs = [
      CopyCosts(literal: 4, difference: 6, run: 8, operation: 40, delta: 8),
      CopyCosts(literal: 3, difference: 5, run: 6, operation: 32, delta: 8),
    ]
    /// More of them, tried if the patch is small.
    package var furtherCosts = [
      CopyCosts(literal: 5, difference: 7, run: 8, operation: 24, delta: 8),
      CopyCosts(literal: 4, difference: 8, run: 10, operation: 24, delta: 8),
      CopyCosts(literal: 2, difference: 3, run: 4, operation: 24, delta: 6),
    ]
    /// The models of LZMA that are tried, the first one with every script; at least one.
    package var models = [LZMAModel(lc: 3, lp: 0, pb: 0), LZMAModel(lc: 4, lp: 0, pb: 0)]
    /// More of them, tried if the patch is small.
    package var furtherModels = [
      LZMAModel(lc: 1, lp: 0, pb: 0), LZMAModel(lc: 0, lp: 0, pb: 0),
      LZMAModel(lc: 1, lp: 0, pb: 0, niceLength: 64),
    ]
    /// A directory with room for a patch, for compressed sections that do not fit into `packedInMemory`; nil keeps all of
    /// them in memory.
    package var workDirectory: String?
    /// The bytes of compressed sections that stay in memory, each of the smallest patch so far and of the one being tried.
    package var packedInMemory = 8 << 20
    /// The largest patch that counts as small.
    package var smallPatch = 64 << 10

    package init() {}
  }
}
