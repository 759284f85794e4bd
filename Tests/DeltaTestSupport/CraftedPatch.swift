internal import Codec
package import Crypto
package import DeltaApply

/// A patch built by hand, every digest of it right, so that wrong contents reach the code behind the digests.
package struct CraftedPatch {
  /// Where a section says that it begins in the new file, and its uncompressed blocks.
  package struct Section {
    package var completed: UInt64
    package var blocks: [UInt8]

    package init(completed: UInt64, blocks: [UInt8]) {
      self.completed = completed
      self.blocks = blocks
    }
  }

  package var oldSize: UInt64
  package var newSize: UInt64
  package var sections: [Section]
  package var payloadSize = 50
  package var shape = PatchHead.Shape(dictionarySize: 4096, maximumPayload: 50, maximumBlock: 4096)
  /// Changes the compressed bytes of a section.
  package var changeStream: (inout [UInt8]) -> Void = { _ in }
  /// Changes a frame's header; the numbers are the section's and the frame's in it.
  package var changeHeader: (FrameHeader, Int, Int) -> FrameHeader = { header, _, _ in header }
  /// Bytes behind the last frame, which the head knows of.
  package var trailer: [UInt8] = []
  package var sectionCount: UInt32?

  package init(oldSize: UInt64, newSize: UInt64, sections: [Section]) {
    self.oldSize = oldSize
    self.newSize = newSize
    self.sections = sections
  }

  /// The patch and the digest of its head.
  package func build() throws -> (bytes: [UInt8], head: Digest) {
    var frames: [UInt8] = []
    var next: Digest?
    for number in sections.indices.reversed() {
      let blocks = sections[number].blocks
      var stream = try LZMA2Encoder.encode(
        blocks.span.bytes, dictionarySize: shape.dictionarySize,
        model: LZMAModel(lc: 3, lp: 0, pb: 0))
      changeStream(&stream)
      for start in stride(from: 0, to: stream.count, by: payloadSize).reversed() {
        let payload = stream[start..<min(start + payloadSize, stream.count)]
        let header = FrameHeader(
          payloadSize: UInt32(payload.count), startsSection: start == 0,
          completed: sections[number].completed,
          next: next)
        let frame = changeHeader(header, number, start / payloadSize).encoded() + payload
        next = try Hasher.digest(of: frame.span.bytes)
        frames = frame + frames
      }
    }
    let none = Digest()
    let head = PatchHead(
      old: oldSize == 0 ? nil : PatchHead.FileIdentity(size: oldSize, digest: none),
      new: PatchHead.FileIdentity(size: newSize, digest: none),
      containerSize: UInt64(PatchHead.size + frames.count + trailer.count), shape: shape,
      sectionCount: sectionCount ?? UInt32(sections.count), firstFrame: next ?? none)
    let encoded = head.encoded()
    return (encoded + frames + trailer, try Hasher.digest(of: encoded.span.bytes))
  }
}

/// A block from its parts, each number as it is written.
package func craftBlock(
  newSize: UInt64, covers: [UInt64] = [], runs: [UInt64] = [], differences: [UInt8] = [], extras: [UInt8] = []
) -> [UInt8] {
  var coverBytes: [UInt8] = []
  for number in covers { Varint.append(number, to: &coverBytes) }
  var runBytes: [UInt8] = []
  for number in runs { Varint.append(number, to: &runBytes) }
  let header = BlockHeader(
    newSize: newSize, covers: UInt32(coverBytes.count), runs: UInt32(runBytes.count),
    differences: UInt32(differences.count), extras: UInt32(extras.count))
  return header.encoded() + coverBytes + runBytes + differences + extras
}
