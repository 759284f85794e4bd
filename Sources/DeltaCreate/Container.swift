internal import Codec
internal import Crypto
internal import DeltaApply

/// A section as it travels.
struct PackedSection {
  let completed: UInt64
  let bytes: [UInt8]
}

/// Puts compressed sections into frames and chains them.
enum Container {
  /// The whole patch.
  ///
  /// Each frame holds the digest of the next, so they are made from the last to the first, and the head at the end.
  static func assemble(
    _ sections: [PackedSection], old: PatchHead.FileIdentity?, new: PatchHead.FileIdentity,
    dictionarySize: UInt32, payloadSize: Int, largestBlock: Int
  ) throws(HasherError) -> Patch {
    var headers: [FrameHeader] = []
    var hasher = try Hasher()
    var next: Digest?
    var size = UInt64(PatchHead.size)
    var largestPayload = 1
    for section in sections.reversed() {
      for start in stride(from: 0, to: section.bytes.count, by: payloadSize).reversed() {
        let payload = start..<min(start + payloadSize, section.bytes.count)
        let header = FrameHeader(
          payloadSize: UInt32(payload.count), startsSection: start == 0, completed: section.completed,
          next: next)
        let encoded = header.encoded()
        try hasher.update(encoded.span.bytes)
        try hasher.update(section.bytes.span.bytes.extracting(payload))
        next = try hasher.finish()
        headers.append(header)
        size += UInt64(FrameHeader.size + payload.count)
        largestPayload = max(largestPayload, payload.count)
      }
    }
    let head = PatchHead(
      old: old, new: new, containerSize: size,
      shape: PatchHead.Shape(
        dictionarySize: dictionarySize, maximumPayload: UInt32(largestPayload),
        maximumBlock: UInt32(largestBlock)),
      sectionCount: UInt32(sections.count), firstFrame: next ?? Digest())

    var bytes = head.encoded()
    let digest = try Hasher.digest(of: bytes.span.bytes)
    bytes.reserveCapacity(Int(size))
    for section in sections {
      for start in stride(from: 0, to: section.bytes.count, by: payloadSize) {
        bytes += headers.removeLast().encoded()
        bytes += section.bytes[start..<min(start + payloadSize, section.bytes.count)]
      }
    }
    return Patch(head: head, headDigest: digest, bytes: bytes)
  }
}
