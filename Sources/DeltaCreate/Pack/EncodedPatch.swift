package import Crypto
package import PatchFormat
package import Platform

/// A finished patch, whose bytes may be too many for the memory.
///
/// Each frame holds the digest of the next, so their headers are made from the last to the first, and the head at the
/// end. It is written from the first to the last.
package struct EncodedPatch {
  package let head: PatchHead
  /// Nil for a packed component.
  package let oldDigest: Digest?
  package let newDigest: Digest
  /// Of head and first frame together; it authenticates the whole patch, and names its file.
  package let headDigest: Digest
  /// Bytes of all of it, head included.
  package let size: UInt64
  /// What became of the deflate streams of the new file.
  package let streams: StreamFigures
  /// The scripts that were tried, one of which it has.
  package let trials: [ScriptTrial]
  private let sections: CompressedSections
  private let payloadSize: Int
  /// Of all frames in order.
  private let headers: [[UInt8]]

  init(
    _ sections: CompressedSections, old: (size: UInt64, digest: Digest)?, new: (size: UInt64, digest: Digest),
    payloadSize: Int, streams: StreamFigures, trials: [ScriptTrial]
  ) throws(DeltaCreateError) {
    var headers: [[UInt8]] = []
    var next: Digest?
    var largestPayload = 1
    var first: [UInt8] = []
    for (number, section) in sections.all.enumerated().reversed() {
      let stream = try sections.stream(of: section)
      for payload in EncodedPatch.payloads(of: stream, size: payloadSize).reversed() {
        let isFirst = number == 0 && payload.lowerBound == 0
        let header = FrameHeader(
          payloadSize: UInt32(payload.count),
          start: payload.lowerBound == 0 && !isFirst ? section.completed : nil,
          isSorted: payload.lowerBound == 0 && section.isSorted, next: next
        ).encoded()
        headers.append(header)
        largestPayload = max(largestPayload, payload.count)
        // The digest of the first is also the head's.
        if isFirst { first = header + stream[payload] } else { next = try digest(header, stream[payload]) }
      }
    }
    head = PatchHead(
      old: old, new: new,
      shape: PatchHead.Shape(
        dictionarySize: sections.dictionarySize, hasSortedSections: sections.hasSortedSections,
        maximumPayload: UInt32(largestPayload), maximumBlock: UInt32(sections.largestBlock),
        maximumContent: UInt32(sections.largestContent)))
    oldDigest = old?.digest
    newDigest = new.digest
    headDigest = try digest(head.encoded(), first[...])
    size = UInt64(head.encoded().count + sections.size + headers.reduce(0) { $0 + $1.count })
    self.sections = sections
    self.payloadSize = payloadSize
    self.streams = streams
    self.trials = trials
    self.headers = headers.reversed()
  }

  /// Writes all of it at the current position of a file.
  package func write(to file: borrowing File) throws(DeltaCreateError) {
    try forEachPart { (part) throws(Failure) in try file.write(part.span.bytes) }
  }

  /// Calls `take` with all bytes, piece by piece.
  package func forEachPart(_ take: (ArraySlice<UInt8>) throws(Failure) -> Void) throws(DeltaCreateError) {
    var frame = 0
    do throws(Failure) { try take(head.encoded()[...]) } catch { throw .file(error) }
    for section in sections.all {
      let stream = try sections.stream(of: section)
      for payload in EncodedPatch.payloads(of: stream, size: payloadSize) {
        do throws(Failure) {
          try take(headers[frame][...])
          try take(stream[payload])
        } catch { throw .file(error) }
        frame += 1
      }
    }
  }

  /// How a section is cut into the payloads of frames.
  private static func payloads(of stream: [UInt8], size: Int) -> [Range<Int>] {
    stride(from: 0, to: stream.count, by: size).map { $0..<min($0 + size, stream.count) }
  }
}

private func digest(_ a: [UInt8], _ b: ArraySlice<UInt8>) throws(DeltaCreateError) -> Digest {
  do throws(HasherError) {
    var hasher = try Hasher()
    try hasher.update(a.span.bytes)
    try hasher.update(b.span.bytes)
    return try hasher.finish()
  } catch { throw .hashing }
}
