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
    /// The bytes of the new file after which a section ends, whatever its blocks; after half of them if it is worth it.
    package var sectionOutput = 16 << 20
    /// The matchings that are tried on every file; at least one.
    package var matchings = [Matching(gain: 8, equal: 2), Matching(gain: 24), Matching(gain: 3)]
    /// The estimated costs with which copies are first chosen from all matchings, when every literal costs half a byte.
    package var costs = CopyCosts(literal: 64, difference: 48, run: 64, operation: 320, delta: 64)
    /// The costs with which they are chosen again when literals were learned.
    package var learnedCosts = CopyCosts(literal: 48, difference: 48, run: 32, operation: 240, delta: 64)
    /// What an operation may cost instead, to begin the search for the best costs with: the next one only if the last helped.
    package var operationCosts = [1000, 4000]
    /// The shortest run of equal bytes that interrupts differences, to be tried besides one byte.
    package var longPause = 16
    /// The models of LZMA from which one is chosen; at least one.
    ///
    /// Text wants many bits of context, arrays of numbers want positions.
    package var models = [
      LZMAModel(lc: 3, lp: 0, pb: 0), LZMAModel(lc: 4, lp: 0, pb: 0), LZMAModel(lc: 1, lp: 0, pb: 1),
      LZMAModel(lc: 3, lp: 0, pb: 2), LZMAModel(lc: 4, lp: 0, pb: 2), LZMAModel(lc: 2, lp: 2, pb: 2),
      LZMAModel(lc: 2, lp: 2, pb: 3), LZMAModel(lc: 0, lp: 2, pb: 2), LZMAModel(lc: 0, lp: 3, pb: 3),
      LZMAModel(lc: 1, lp: 3, pb: 3), LZMAModel(lc: 1, lp: 0, pb: 0), LZMAModel(lc: 0, lp: 0, pb: 0),
    ]
    /// A directory with room for a patch, for compressed sections that do not fit into `packedInMemory`; nil keeps all of
    /// them in memory.
    package var workDirectory: String?
    /// The bytes of compressed sections that stay in memory, each of the smallest patch so far and of the one being tried.
    package var packedInMemory = 8 << 20
    /// Processors that may help; the bytes of the patch do not depend on them.
    package var processors = Processors.none
    /// Called when something begins, on the thread that does it.
    package var observe: @Sendable (PatchProgress) -> Void = { _ in }

    package init() {}
  }
}
