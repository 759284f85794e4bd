package import Codec
package import Crypto
package import DeltaApply

/// A finished patch.
package struct Patch {
  package let head: PatchHead
  /// Nil for a packed component.
  package let oldDigest: Digest?
  package let newDigest: Digest
  /// What vouches for the whole patch, and names its file.
  package let headDigest: Digest
  /// All of it, head included.
  package let bytes: [UInt8]
}

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
    /// What an equal byte may be worth against a different one when a cover is extended; each is tried.
    package var equalWorths = [1, 2]
    /// The models of LZMA that are tried.
    package var models = [LZMAModel(lc: 3, lp: 0, pb: 0), LZMAModel(lc: 4, lp: 0, pb: 0)]

    package init() {}
  }

  package init(_ options: Options = Options()) { self.options = options }

  /// Makes the patch that turns `old` into `new`; `old` is empty for a packed component.
  package func make(old: Span<UInt8>, new: Span<UInt8>) throws(DeltaCreateError) -> Patch {
    try checkOptions()
    guard UInt64(old.count) <= PatchLimits.maximumFile, UInt64(new.count) <= PatchLimits.maximumFile else {
      throw .fileTooLarge
    }
    var best: Packing?
    for instructions in try instructions(old, new) {
      let packing = try Packing(instructions, options.models[0], options.dictionarySize)
      if packing.size < best?.size ?? .max { best = packing }
    }
    guard var best else { throw .badOption }
    for model in options.models.dropFirst() {
      let packing = try Packing(best.instructions, model, options.dictionarySize)
      if packing.size < best.size { best = packing }
    }
    do throws(HasherError) {
      return try Container.assemble(
        best, old: old.isEmpty ? nil : try PatchMaker.identity(old), new: try PatchMaker.identity(new),
        payloadSize: Int(options.payloadSize))
    } catch { throw .hashing }
  }

  private func checkOptions() throws(DeltaCreateError) {
    guard PatchLimits.dictionary.contains(options.dictionarySize),
      PatchLimits.payload.contains(UInt64(options.payloadSize)),
      (PatchMaker.smallestBlock...PatchLimits.block.upperBound).contains(UInt64(options.blockSize)),
      options.sectionSize > 0, options.sectionOutput > 0, !options.models.isEmpty,
      !options.equalWorths.isEmpty, options.equalWorths.allSatisfy({ $0 > 0 })
    else { throw .badOption }
  }

  /// The ways to make the new file that are to be compared.
  private func instructions(
    _ old: Span<UInt8>, _ new: Span<UInt8>
  ) throws(DeltaCreateError) -> [Instructions] {
    try old.withUnsafeBufferPointer { (old) throws(DeltaCreateError) in
      try new.withUnsafeBufferPointer { (new) throws(DeltaCreateError) in
        let numbers = NumberParser(old: old, new: new)
        return try covers(old, new).map { covers in
          let operations =
            numbers?.operations(covers)
            ?? covers.map { Operation(kind: .old, new: $0.new, source: $0.old, length: $0.length) }
          return Instructions(operations, old: old, new: new, options)
        }
      }
    }
  }

  private func covers(
    _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>
  ) throws(DeltaCreateError) -> [[Cover]] {
    if old.isEmpty || new.isEmpty { return [[]] }
    var all: [[Cover]] = []
    if old.count <= Int(Int32.max) {
      let matcher = try Matcher<Int32>(old: old, new: new)
      for equal in options.equalWorths { all.append(matcher.covers(equal: equal)) }
    } else {
      let matcher = try Matcher<Int64>(old: old, new: new)
      for equal in options.equalWorths { all.append(matcher.covers(equal: equal)) }
    }
    return all
  }

  private static func identity(_ bytes: Span<UInt8>) throws(HasherError) -> (size: UInt64, digest: Digest) {
    (UInt64(bytes.count), try Hasher.digest(of: bytes.bytes))
  }

  /// Room for a cover, a pair of runs and some bytes.
  private static var smallestBlock: UInt64 { 512 }
}
