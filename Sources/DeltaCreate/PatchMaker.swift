package import CodecEncoding
internal import Crypto
internal import PatchFormat

/// Makes patches: the same bytes from the same files and options.
package struct PatchMaker {
  private let options: Options

  /// What may be chosen; sizes are in bytes.
  ///
  /// The defaults are by the measurements in `bench/results.md`.
  package struct Options: Sendable {
    /// The most that the decoder on the device has to remember; a patch that is smaller asks for less.
    package var dictionarySize: UInt32 = 1 << 20
    /// The largest payload of a frame: what is authenticated at a time.
    package var payloadSize: UInt32 = 64 << 10
    /// The largest block: what is executed at a time.
    package var blockSize: UInt32 = 128 << 10
    /// The bytes of instructions after which a section ends.
    package var sectionSize = 4 << 20
    /// The bytes of the new file after which a section ends, whatever its instructions.
    package var sectionOutput = 64 << 20
    /// The ways of matching that are tried on every file; at least one.
    package var matchings = [Matching(gain: 8, equal: 2), Matching(gain: 24)]
    /// More of them, to choose covers from if the patch is small: there they make a difference, and cost little.
    package var furtherMatchings = [Matching(gain: 6), Matching(gain: 14)]
    /// What covers are estimated to cost when those of all matchings are chosen from.
    package var costs = [
      CoverCosts(extra: 4, difference: 6, run: 8, operation: 40, step: 8),
      CoverCosts(extra: 3, difference: 5, run: 6, operation: 32, step: 8),
    ]
    /// More of them, tried as long as the patch is small.
    package var furtherCosts = [
      CoverCosts(extra: 5, difference: 7, run: 8, operation: 24, step: 8),
      CoverCosts(extra: 4, difference: 8, run: 10, operation: 24, step: 8),
      CoverCosts(extra: 2, difference: 3, run: 4, operation: 24, step: 6),
    ]
    /// The models of LZMA that are tried, the first one with every matching; at least one.
    package var models = [LZMAModel(lc: 3, lp: 0, pb: 0), LZMAModel(lc: 4, lp: 0, pb: 0)]
    /// More of them, tried as long as the patch is small.
    package var furtherModels = [
      LZMAModel(lc: 1, lp: 0, pb: 0), LZMAModel(lc: 0, lp: 0, pb: 0),
      LZMAModel(lc: 1, lp: 0, pb: 0, niceLength: 64),
    ]
    /// A directory with room for a patch, where compressed sections wait for the others if they are many bytes; nil keeps
    /// all of them in memory.
    package var workDirectory: String?
    /// The bytes of compressed sections that stay in memory, of the smallest patch so far and of the one that is tried.
    package var packedInMemory = 8 << 20
    /// The largest patch that counts as small.
    package var smallPatch = 64 << 10

    package init() {}
  }

  /// How covers are found.
  package struct Matching: Equatable, Sendable {
    /// The bytes by which an exact match must beat the current alignment: fewer do not pay for a cover.
    package let gain: Int
    /// What an equal byte is worth against a different one when a cover is extended.
    package let equal: Int

    package init(gain: Int, equal: Int = 1) {
      self.gain = gain
      self.equal = equal
    }
  }

  /// What parts of a patch come to once they are compressed, by estimate and on the average: in eighths of a byte.
  package struct CoverCosts: Equatable, Sendable {
    /// A byte that is told as it is.
    let extra: Int
    /// A byte that is told as a difference.
    let difference: Int
    /// A run of differences, besides.
    let run: Int
    /// A cover, its step left out.
    let operation: Int
    /// A byte of its step.
    let step: Int

    package init(extra: Int, difference: Int, run: Int, operation: Int, step: Int) {
      self.extra = extra
      self.difference = difference
      self.run = run
      self.operation = operation
      self.step = step
    }
  }

  package init(_ options: Options = Options()) { self.options = options }

  /// Makes the patch that turns `old` into `new`.
  ///
  /// `old` is empty for a packed component. Both outlive the call.
  /// `plan`: what was chosen for two files of these sizes.
  package func pack(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, _ plan: MatchPlan
  ) throws(DeltaCreateError) -> PackedPatch {
    try checkOptions()
    guard UInt64(old.count) <= PatchLimits.maximumFile, UInt64(new.count) <= PatchLimits.maximumFile else {
      throw .fileTooLarge
    }
    let best = try PatchSearch.smallest(old: old, new: new, plan, options)
    return try PackedPatch(
      best.packing, old: old.isEmpty ? nil : try PatchMaker.identity(old), new: try PatchMaker.identity(new),
      payloadSize: Int(options.payloadSize), unsearched: best.unsearched)
  }

  /// Whether deflate streams can be encoded: the zlib of this process makes the same as that of devices.
  ///
  /// If not, patches hold streams as they are, and are right, but larger.
  package static var encodesStreams: Bool { ZlibIdentity.isKnown }

  /// What the bytes of patches depend on besides the files and options, by name and version.
  package static var libraries: String { CompressionLibraries.description }

  private func checkOptions() throws(DeltaCreateError) {
    guard PatchLimits.dictionary.contains(options.dictionarySize),
      PatchLimits.payload.contains(UInt64(options.payloadSize)),
      (PatchMaker.smallestBlock...PatchLimits.block.upperBound).contains(UInt64(options.blockSize)),
      options.sectionSize > 0, options.sectionOutput > 0, !options.models.isEmpty, !options.matchings.isEmpty,
      (options.matchings + options.furtherMatchings).allSatisfy({ $0.gain > 0 && $0.equal > 0 })
    else { throw .badOption }
  }

  private static func identity(_ bytes: UnsafeBufferPointer<UInt8>) throws(DeltaCreateError) -> (
    size: UInt64, digest: Digest
  ) {
    do throws(HasherError) {
      return (
        UInt64(bytes.count), try Hasher.digest(of: RawSpan(_unsafeBytes: UnsafeRawBufferPointer(bytes)))
      )
    } catch { throw .hashing }
  }

  /// Room for a cover, a pair of runs and some bytes.
  private static var smallestBlock: UInt64 { 512 }
}
