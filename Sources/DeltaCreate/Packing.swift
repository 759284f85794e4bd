internal import Codec
internal import DeltaApply

/// Instructions, compressed section by section.
struct Packing {
  let instructions: Instructions
  /// One stream for each section.
  let streams: [[UInt8]]
  /// 0: what was not worth it is not compressed.
  let dictionarySize: UInt32

  /// The bytes of all streams.
  var size: Int { streams.reduce(0) { $0 + $1.count } }

  /// Compresses with a dictionary of at most `limit` bytes.
  init(_ instructions: Instructions, _ model: LZMAModel, _ limit: UInt32) throws(DeltaCreateError) {
    // A dictionary larger than the longest section would only cost the device memory.
    let longest = instructions.sections.reduce(0) { max($0, $1.bytes.count) }
    let dictionarySize = min(limit, PatchHead.roundedDictionary(UInt32(clamping: longest)))

    var streams: [[UInt8]] = []
    do throws(CodecError) {
      for section in instructions.sections {
        streams.append(
          try LZMA2Encoder.encode(section.bytes.span.bytes, dictionarySize: dictionarySize, model: model))
      }
    } catch { throw .codec(error) }
    // A stored section is one frame.
    let isStored =
      instructions.sections.count == 1 && instructions.sections[0].bytes.count <= min(streams[0].count, 4096)
    self.instructions = instructions
    self.streams = isStored ? [instructions.sections[0].bytes] : streams
    self.dictionarySize = isStored ? 0 : dictionarySize
  }
}
