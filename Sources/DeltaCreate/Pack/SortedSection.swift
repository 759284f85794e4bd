internal import Codec
internal import CodecEncoding
internal import PatchFormat

/// Compresses a section by sorting its bytes by what follows them.
///
/// That suits what is similar rather than equal: numbers in records, texts with few long repeats. LZMA2 suits the rest, and
/// takes a third of the time to decode.
package enum SortedSection {
  /// Returns nil if the result would have `limit` bytes or more.
  package static func compress(
    _ section: [UInt8], below limit: Int, processors: Processors = .none
  ) -> [UInt8]? {
    var encoder = BWTEncoder()
    var result: [UInt8] = []
    section.withUnsafeBufferPointer { section in
      // Chunks of nearly the same size need the least memory.
      let chunks = (section.count + BWTDecoder.maximumChunk - 1) / BWTDecoder.maximumChunk
      for range in section.indices.parts(chunks) where result.count < limit {
        let column = column(of: UnsafeBufferPointer(rebasing: section[range]), processors)
        Varint.append(UInt64(range.count), to: &result)
        Varint.append(UInt64(column.origin), to: &result)
        encoder.append(column, to: &result)
      }
    }
    Varint.append(0, to: &result)
    return result.count < limit ? result : nil
  }

  private static func column(
    of chunk: UnsafeBufferPointer<UInt8>, _ processors: Processors
  ) -> BWTEncoder.Column {
    let suffixes = SuffixSorter.sort(chunk, step: 1, processors: processors)
    defer { suffixes.deallocate() }
    return BWTEncoder.Column(
      Span(_unsafeElements: chunk),
      suffixes: Span(_unsafeElements: UnsafeBufferPointer(start: suffixes, count: chunk.count)))
  }
}
