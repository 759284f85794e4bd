internal import Crypto
internal import DeltaApply

/// Puts compressed sections into frames and chains them.
enum Container {
  /// The whole patch.
  ///
  /// Each frame holds the digest of the next, so they are made from the last to the first, and the head at the end.
  static func assemble(
    _ packing: Packing, old: PatchHead.FileIdentity?, new: PatchHead.FileIdentity, payloadSize: Int
  ) throws(HasherError) -> Patch {
    let sections = packing.instructions.sections
    var headers: [FrameHeader] = []
    var hasher = try Hasher()
    var next: Digest?
    var size = UInt64(PatchHead.size)
    var largestPayload = 1
    for (section, stream) in zip(sections, packing.streams).reversed() {
      for start in stride(from: 0, to: stream.count, by: payloadSize).reversed() {
        let payload = start..<min(start + payloadSize, stream.count)
        let header = FrameHeader(
          payloadSize: UInt32(payload.count), startsSection: start == 0, completed: section.completed,
          next: next)
        let encoded = header.encoded()
        try hasher.update(encoded.span.bytes)
        try hasher.update(stream.span.bytes.extracting(payload))
        next = try hasher.finish()
        headers.append(header)
        size += UInt64(FrameHeader.size + payload.count)
        largestPayload = max(largestPayload, payload.count)
      }
    }
    let head = PatchHead(
      old: old, new: new, containerSize: size,
      shape: PatchHead.Shape(
        dictionarySize: packing.dictionarySize, maximumPayload: UInt32(largestPayload),
        maximumBlock: UInt32(packing.instructions.largestBlock)),
      sectionCount: UInt32(sections.count), firstFrame: next ?? Digest())

    var bytes = head.encoded()
    let digest = try Hasher.digest(of: bytes.span.bytes)
    bytes.reserveCapacity(Int(size))
    for stream in packing.streams {
      for start in stride(from: 0, to: stream.count, by: payloadSize) {
        bytes += headers.removeLast().encoded()
        bytes += stream[start..<min(start + payloadSize, stream.count)]
      }
    }
    return Patch(head: head, headDigest: digest, bytes: bytes)
  }
}
