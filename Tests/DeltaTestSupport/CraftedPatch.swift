internal import Codec
internal import CodecEncoding
package import Crypto
internal import DeltaCreate
package import PatchFormat

/// A patch built by hand, every digest of it right, so that wrong contents get past the digests.
package struct CraftedPatch {
  /// Where a section says that it begins in the new file, and its uncompressed blocks.
  package struct Section {
    package var completed: UInt64
    package var blocks: [UInt8]
    package var isSorted: Bool

    package init(completed: UInt64, blocks: [UInt8], isSorted: Bool = false) {
      self.completed = completed
      self.blocks = blocks
      self.isSorted = isSorted
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
  /// Bytes after the last frame, which no digest covers.
  package var trailer: [UInt8] = []
  /// The file whose digest is in the head as that of the new file.
  package var checked: [UInt8] = []

  package init(oldSize: UInt64, newSize: UInt64, sections: [Section]) {
    self.oldSize = oldSize
    self.newSize = newSize
    self.sections = sections
  }

  /// The patch, and the digest of its head and first frame.
  package func build() throws -> (bytes: [UInt8], head: Digest) {
    let check = try Hasher.digest(of: RawSpan())
    let newCheck = try Hasher.digest(of: checked.span.bytes)
    let head = PatchHead(
      old: oldSize == 0 ? nil : (oldSize, check), new: (newSize, newCheck), shape: shape
    ).encoded()
    var frames: [UInt8] = []
    var next: Digest?
    for number in sections.indices.reversed() {
      let stream = try stream(sections[number])
      for start in stride(from: 0, to: stream.count, by: payloadSize).reversed() {
        let payload = stream[start..<min(start + payloadSize, stream.count)]
        let isFirst = number == 0 && start == 0
        let header = FrameHeader(
          payloadSize: UInt32(payload.count),
          start: start == 0 && !isFirst ? sections[number].completed : nil,
          isSorted: start == 0 && sections[number].isSorted, next: next)
        let frame = changeHeader(header, number, start / payloadSize).encoded() + payload
        let authenticated = isFirst ? head + frame : frame
        next = try Hasher.digest(of: authenticated.span.bytes)
        frames = frame + frames
      }
    }
    return (head + frames + trailer, try next ?? Hasher.digest(of: head.span.bytes))
  }

  private func stream(_ section: Section) throws -> [UInt8] {
    let blocks = section.blocks
    var stream = blocks
    if section.isSorted {
      stream = SortedSection.compress(blocks, below: .max) ?? []
    } else if shape.dictionarySize > 0 {
      stream =
        try LZMAEncoder.encode(
          blocks.span.bytes, dictionarySize: shape.dictionarySize, model: LZMAModel(lc: 3, lp: 0, pb: 0))
        ?? []
    }
    changeStream(&stream)
    return stream
  }
}

/// A block from its parts, each number as it is written.
package func craftBlock(
  operations: [UInt8] = [], copies: [UInt64] = [], runs: [UInt64] = [], differences: [UInt8] = [],
  numbers: [UInt64] = [], targets: [UInt8] = [], literals: [UInt8] = []
) -> [UInt8] {
  let streams = [operations, encode(copies), encode(runs), differences, encode(numbers), targets, literals]
  var mask: UInt8 = 0
  for (index, stream) in streams.enumerated() where !stream.isEmpty { mask |= 1 << UInt8(index) }
  let sizes = streams.filter { !$0.isEmpty }.dropLast().map { UInt64($0.count) }
  let block = [mask] + encode(sizes) + streams.joined()
  return encode([UInt64(block.count)]) + block
}

private func encode(_ numbers: [UInt64]) -> [UInt8] {
  var bytes: [UInt8] = []
  for number in numbers { Varint.append(number, to: &bytes) }
  return bytes
}
