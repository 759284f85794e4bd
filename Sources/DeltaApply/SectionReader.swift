internal import Codec
package import PatchFormat

/// Decodes the payloads of a section's frames, and hands out its blocks one by one.
package struct SectionReader: ~Copyable {
  private var decoder: SectionDecoder
  /// The block that `readBlock` has completed.
  package private(set) var block: BlockAssembly

  private let hasSortedSections: Bool

  package init(_ shape: PatchHead.Shape) {
    decoder = SectionDecoder(dictionarySize: shape.dictionarySize)
    hasSortedSections = shape.hasSortedSections
    block = BlockAssembly(maximumBlock: shape.maximumBlock)
  }

  /// Whether the section's last byte was decoded.
  package var isFinished: Bool { decoder.isFinished }

  /// Starts the section whose first frame has this header.
  ///
  /// - `position`: for errors, the output position.
  package mutating func start(_ header: FrameHeader, at position: UInt64) throws(DeltaError) {
    guard hasSortedSections || !header.isSorted else { throw .badSection(at: position) }
    try decoder.start(isSorted: header.isSorted)
  }

  /// Decodes up to the end of the next block; false if the payload is used up.
  ///
  /// - `taken`: how many bytes of the payload were decoded.
  /// - `position`: for errors, the output position.
  package mutating func readBlock(
    from payload: RawSpan, taken: inout Int, at position: UInt64
  ) throws(DeltaError) -> Bool {
    if block.isWhole { block.release() }
    while !decoder.isFinished {
      let input = payload.extracting(taken...)
      let counts = try block.fill(from: &decoder, input: input, at: position)
      taken += counts.read
      if block.isWhole { return true }
      if counts.read == 0 && counts.written == 0 && !decoder.isFinished {
        guard input.byteCount == 0 else { throw .codec(.corrupt) }
        return false
      }
    }
    guard taken == payload.byteCount, block.isEmpty else { throw .badSection(at: position) }
    return false
  }
}
