internal import CodecEncoding
internal import Crypto
internal import PatchFormat

/// Makes patches; the same files and options give the same bytes.
package struct PatchMaker {
  private let options: Options

  package init(_ options: Options = Options()) { self.options = options }

  /// Makes the patch that turns `old` into `new`.
  ///
  /// `old` is empty for a packed component. Both outlive the call.
  ///
  /// - `plan`: what was chosen for two files of these sizes.
  package func pack(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, plan: SearchBudget
  ) throws(DeltaCreateError) -> EncodedPatch {
    try checkOptions()
    guard UInt64(old.count) <= PatchLimits.maximumFile, UInt64(new.count) <= PatchLimits.maximumFile else {
      throw .fileTooLarge
    }
    let best = try PatchSearch(budget: plan, options: options).patch(from: old, to: new)
    let identities = try options.processors.map([old, new], PatchMaker.identity)
    return try EncodedPatch(
      best.sections, old: old.isEmpty ? nil : identities[0], new: identities[1],
      payloadSize: Int(options.payloadSize), streams: best.figures, trials: best.trials)
  }

  /// Whether deflate streams can be encoded: the zlib of this process makes the same as that of devices.
  ///
  /// If not, patches copy streams without inflating them: they are correct, but larger.
  package static var encodesStreams: Bool { ZlibIdentity.isKnown }

  /// What the bytes of patches depend on besides the files and options, by name and version.
  package static var libraries: String { CompressionLibraries.description }

  private func checkOptions() throws(DeltaCreateError) {
    guard Options.dictionarySizes.contains(options.dictionarySize),
      PatchLimits.payload.contains(UInt64(options.payloadSize)),
      (PatchMaker.smallestBlock...PatchLimits.block.upperBound).contains(UInt64(options.blockSize)),
      options.sectionSize > 0, options.sectionOutput > 0, !options.models.isEmpty, !options.matchings.isEmpty,
      options.matchings.allSatisfy({ $0.gain > 0 && $0.equal > 0 })
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

  /// Room for a copy, a run of differences and some bytes.
  private static var smallestBlock: UInt64 { 512 }
}
