internal import Crypto
internal import DeltaApply

/// Puts compressed sections into frames and chains them.
enum Container {
  /// The whole patch.
  ///
  /// Each frame holds the digest of the next, so they are made from the last to the first, and the head's at the end.
  static func assemble(
    _ packing: Packing, old: (size: UInt64, digest: Digest)?, new: (size: UInt64, digest: Digest),
    payloadSize: Int
  ) throws(HasherError) -> Patch {
    var headers: [[UInt8]] = []
    var hasher = try Hasher()
    var next: Digest?
    var largestPayload = 1
    for (number, section) in packing.sections.enumerated().reversed() {
      let stream = section.stream
      for start in stride(from: 0, to: stream.count, by: payloadSize).reversed() {
        let payload = start..<min(start + payloadSize, stream.count)
        let isFirst = number == 0 && start == 0
        let header = FrameHeader(
          payloadSize: UInt32(payload.count),
          start: start == 0 && !isFirst ? section.completed : nil, next: next
        ).encoded()
        headers.append(header)
        largestPayload = max(largestPayload, payload.count)
        if isFirst { break }  // its digest is also the head's
        try hasher.update(header.span.bytes)
        try hasher.update(stream.span.bytes.extracting(payload))
        next = try hasher.finish()
      }
    }
    let head = PatchHead(
      old: old, new: new,
      shape: PatchHead.Shape(
        dictionarySize: packing.dictionarySize, maximumPayload: UInt32(largestPayload),
        maximumBlock: UInt32(packing.largestBlock),
        maximumContent: UInt32(packing.largestContent)))

    var bytes = head.encoded()
    var firstEnd = bytes.count
    for (number, section) in packing.sections.enumerated() {
      let stream = section.stream
      for start in stride(from: 0, to: stream.count, by: payloadSize) {
        bytes += headers.removeLast()
        bytes += stream[start..<min(start + payloadSize, stream.count)]
        if number == 0 && start == 0 { firstEnd = bytes.count }
      }
    }
    let digest = try Hasher.digest(of: bytes.span.bytes.extracting(0..<firstEnd))
    return Patch(
      head: head, oldDigest: old?.digest, newDigest: new.digest, headDigest: digest, bytes: bytes)
  }
}
