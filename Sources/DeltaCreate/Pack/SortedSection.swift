internal import Codec
internal import CodecEncoding
internal import PatchFormat

/// Compresses a section by sorting its bytes by what follows them.
///
/// That suits what is similar rather than equal: numbers in records, texts with few long repeats. LZMA2 suits the rest, and
/// takes a third of the time to decode.
package enum SortedSection {
  /// Returns nil if the result would have `limit` bytes or more.
  package static func compress(_ section: [UInt8], below limit: Int) -> [UInt8]? {
    encode(section, below: limit) { SuffixSorter.sort($0, step: 1) }
  }

  /// About how many bytes `compress` makes of a section, in half of the time; nearly the same part more for similar ones.
  static func estimate(_ section: [UInt8]) -> Int {
    encode(section, below: .max, sort: ContextSorter.sort)?.count ?? .max
  }

  /// - `sort`: the offsets in a chunk in the order of what begins there; deallocated here.
  private static func encode(
    _ section: [UInt8], below limit: Int,
    sort: (UnsafeBufferPointer<UInt8>) -> UnsafeMutablePointer<Int32>
  ) -> [UInt8]? {
    var encoder = BWTEncoder()
    var result: [UInt8] = []
    section.withUnsafeBufferPointer { section in
      // Chunks of nearly the same size need the least memory.
      let chunks = (section.count + BWTDecoder.maximumChunk - 1) / BWTDecoder.maximumChunk
      for range in section.indices.parts(chunks) where result.count < limit {
        let chunk = UnsafeBufferPointer(rebasing: section[range])
        let suffixes = sort(chunk)
        defer { suffixes.deallocate() }
        let column = BWTEncoder.Column(
          Span(_unsafeElements: chunk),
          suffixes: Span(_unsafeElements: UnsafeBufferPointer(start: suffixes, count: chunk.count)))
        Varint.append(UInt64(range.count), to: &result)
        Varint.append(UInt64(column.origin), to: &result)
        encoder.append(column, to: &result)
      }
    }
    Varint.append(0, to: &result)
    return result.count < limit ? result : nil
  }
}
