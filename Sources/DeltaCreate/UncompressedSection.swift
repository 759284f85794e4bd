/// Writes a section that LZMA makes no smaller: as LZMA2 of uncompressed chunks.
enum UncompressedSection {
  static func stream(_ section: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(size(section.count))
    for start in stride(from: 0, to: section.count, by: largestChunk) {
      let chunk = section[start..<min(start + largestChunk, section.count)]
      // The first one empties the dictionary.
      stream.append(start == 0 ? 1 : 2)
      stream.append(UInt8((chunk.count - 1) >> 8))
      stream.append(UInt8((chunk.count - 1) & 0xff))
      stream += chunk
    }
    stream.append(0)
    return stream
  }

  /// The bytes of the stream of a section with `count` bytes.
  static func size(_ count: Int) -> Int { count + (count + largestChunk - 1) / largestChunk * 3 + 1 }

  private static var largestChunk: Int { 64 << 10 }
}
