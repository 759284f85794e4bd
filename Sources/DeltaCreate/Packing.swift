internal import Codec
internal import DeltaApply

/// All sections of a patch, compressed.
struct Packing {
  private(set) var sections: [PackedSection] = []
  /// 0: what was not worth it is not compressed.
  private(set) var dictionarySize: UInt32 = 0
  private(set) var largestBlock = 1
  private(set) var largestContent = 0

  struct PackedSection {
    /// How many bytes of the new file are complete before it.
    let completed: UInt64
    let stream: [UInt8]
  }

  /// The bytes of all sections.
  var size: Int { sections.reduce(0) { $0 + $1.stream.count } }

  /// Writes and compresses, with the dictionary of the options at most.
  ///
  /// Nil if the result would have `limit` bytes or more.
  init?(
    _ script: PatchScript, _ model: LZMAModel, _ options: PatchMaker.Options, below limit: Int
  ) throws(DeltaCreateError) {
    var packed: [PackedSection] = []
    var size = 0
    var longest = 0
    var small: [UInt8]?
    let instructions: Instructions
    do throws(DeltaCreateError) {
      instructions = try Instructions(script, options) { (section) throws(DeltaCreateError) in
        guard let stream = try Packing.compress(section, model, options, below: limit - size) else {
          throw .notSmaller
        }
        size += stream.count
        packed.append(PackedSection(completed: section.completed, stream: stream))
        longest = max(longest, section.bytes.count)
        // A stored section is one frame.
        small =
          packed.count == 1 && section.bytes.count <= min(Packing.largestStored, Int(options.payloadSize))
          ? section.bytes : nil
      }
    } catch {
      guard error == .notSmaller else { throw error }
      return nil
    }
    largestBlock = instructions.largestBlock
    largestContent = instructions.largestContent
    if let small, let only = packed.first, small.count <= only.stream.count {
      sections = [PackedSection(completed: only.completed, stream: small)]
    } else {
      sections = packed
      dictionarySize = Packing.dictionarySize(longest, options)
    }
  }

  private static func compress(
    _ section: Section, _ model: LZMAModel, _ options: PatchMaker.Options, below limit: Int
  ) throws(DeltaCreateError) -> [UInt8]? {
    do throws(CodecError) {
      return try LZMA2Encoder.encode(
        section.bytes.span.bytes, dictionarySize: Packing.dictionarySize(section.bytes.count, options),
        model: model, below: limit)
    } catch { throw .codec(error) }
  }

  /// One larger than the longest section would only cost memory, here and on the device.
  private static func dictionarySize(_ longest: Int, _ options: PatchMaker.Options) -> UInt32 {
    min(options.dictionarySize, PatchHead.roundedDictionary(UInt32(clamping: longest)))
  }

  /// Instructions of so many bytes may be smaller as they are.
  private static var largestStored: Int { 4096 }
}
