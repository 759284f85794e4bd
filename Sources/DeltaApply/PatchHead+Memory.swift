internal import Codec
package import PatchFormat

extension PatchHead {
  /// Everything that an applier allocates for this patch, in bytes.
  package var memoryNeeded: UInt64 { PatchHead.memoryNeeded(shape) }

  package static func memoryNeeded(_ shape: Shape) -> UInt64 {
    // One of both at a time.
    let decoder = max(
      shape.dictionarySize == 0 ? 0 : LZMA2Decoder.memoryNeeded(dictionarySize: shape.dictionarySize),
      shape.hasSortedSections ? BWTDecoder.memoryNeeded : 0)
    let frame = UInt64(maximumSize + FrameHeader.maximumSize) + UInt64(shape.maximumPayload)
    let fixed = BufferSizes.window + BufferSizes.newWindow + BufferSizes.output + BufferSizes.overhead
    let content =
      shape.maximumContent == 0 ? 0 : StreamRebuilder.memoryNeeded(maximumContent: shape.maximumContent)
    return decoder + frame + UInt64(shape.maximumBlock) + UInt64(fixed) + content
  }
}
