package import Codec
package import Crypto
package import DeltaApply

/// A finished patch.
package struct Patch {
  package let head: PatchHead
  /// What vouches for the whole patch, and names its file.
  package let headDigest: Digest
  /// All of it, head included.
  package let bytes: [UInt8]
}

/// Makes patches: the same bytes from the same files and options.
package struct PatchMaker {
  private let options: Options

  /// What may be chosen; sizes are in bytes.
  package struct Options: Sendable {
    /// The most that the decoder on the device has to remember; a patch that is smaller asks for less.
    package var dictionarySize: UInt32 = 1 << 20
    /// The largest payload of a frame: what is authenticated at a time.
    package var payloadSize: UInt32 = 64 << 10
    /// The largest block: what is executed at a time.
    package var blockSize: UInt32 = 64 << 10
    /// The bytes of instructions after which a section ends.
    package var sectionSize = 8 << 20
    /// The bytes of the new file after which a section ends, whatever its instructions.
    package var sectionOutput: UInt64 = 64 << 20
    /// The models of LZMA that are tried for each section; the smallest result is taken.
    package var models = [LZMAModel(lc: 3, lp: 0, pb: 0)]

    package init() {}
  }

  package init(_ options: Options = Options()) { self.options = options }

  /// Makes the patch that turns `old` into `new`; `old` is empty for a packed component.
  package func make(old: Span<UInt8>, new: Span<UInt8>) throws(DeltaCreateError) -> Patch {
    try checkOptions()
    guard UInt64(old.count) <= PatchLimits.maximumFile, UInt64(new.count) <= PatchLimits.maximumFile else {
      throw .fileTooLarge
    }
    let (sections, largestBlock) = try old.withUnsafeBufferPointer { (old) throws(DeltaCreateError) in
      try new.withUnsafeBufferPointer { (new) throws(DeltaCreateError) in
        Instructions.sections(try PatchMaker.covers(old, new), old: old, new: new, options)
      }
    }
    // A dictionary larger than the longest section would only cost the device memory.
    let longest = sections.reduce(0) { max($0, $1.bytes.count) }
    let needed = UInt32(clamping: (longest + 4095) / 4096 * 4096)
    let dictionarySize = min(options.dictionarySize, max(needed, PatchLimits.dictionary.lowerBound))

    var packed: [PackedSection] = []
    for section in sections {
      let bytes = try compress(section.bytes, dictionarySize)
      packed.append(PackedSection(completed: section.completed, bytes: bytes))
    }
    do throws(HasherError) {
      return try Container.assemble(
        packed, old: old.isEmpty ? nil : try PatchMaker.identity(old), new: try PatchMaker.identity(new),
        dictionarySize: dictionarySize, payloadSize: Int(options.payloadSize), largestBlock: largestBlock)
    } catch { throw .hashing }
  }

  private func checkOptions() throws(DeltaCreateError) {
    guard PatchLimits.dictionary.contains(options.dictionarySize),
      PatchLimits.payload.contains(options.payloadSize),
      (PatchMaker.smallestBlock...PatchLimits.block.upperBound).contains(options.blockSize),
      options.sectionSize > 0, options.sectionOutput > 0, !options.models.isEmpty
    else { throw .badOption }
  }

  private static func covers(
    _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>
  ) throws(DeltaCreateError) -> [Cover] {
    if old.isEmpty || new.isEmpty { return [] }
    if old.count <= Int(Int32.max) { return try Matcher<Int32>(old: old, new: new).covers() }
    return try Matcher<Int64>(old: old, new: new).covers()
  }

  private static func identity(_ bytes: Span<UInt8>) throws(HasherError) -> PatchHead.FileIdentity {
    PatchHead.FileIdentity(size: UInt64(bytes.count), digest: try Hasher.digest(of: bytes.bytes))
  }

  /// The smallest result of all models.
  private func compress(_ bytes: [UInt8], _ dictionarySize: UInt32) throws(DeltaCreateError) -> [UInt8] {
    var best: [UInt8] = []
    for model in options.models {
      let result: [UInt8]
      do throws(CodecError) {
        result = try LZMA2Encoder.encode(bytes.span.bytes, dictionarySize: dictionarySize, model: model)
      } catch { throw .codec(error) }
      if best.isEmpty || result.count < best.count { best = result }
    }
    return best
  }

  /// Room for a cover, a pair of runs and some bytes.
  private static var smallestBlock: UInt32 { 256 }
}
