/// Finds for each stream of a new file the stream of the old file with the most similar content.
///
/// Nothing is assumed about the streams. Contents are compared by samples: hashes of windows of `windowSize` bytes, selected
/// by their own value, so that equal bytes give equal samples wherever they are. Each sample that both contents have is a
/// vote, stronger if fewer old streams have it.
package enum StreamPairs {
  /// For each new stream the number of an old one; nil only without old streams.
  ///
  /// Without any similarity it is the one after that of the previous stream.
  package static func pairs(
    old: [DeflateStream], in oldFile: UnsafeBufferPointer<UInt8>, new: [DeflateStream],
    in newFile: UnsafeBufferPointer<UInt8>
  ) throws(DeltaCreateError) -> [Int?] {
    guard !old.isEmpty else { return new.map { _ in nil } }
    let largest = max(old.map(\.contentSize).max() ?? 0, new.map(\.contentSize).max() ?? 0)
    var sampler = Sampler(total: old.reduce(0) { $0 + $1.contentSize }, largest: largest)
    let table = try SampleTable(old, in: oldFile, sampler: &sampler)
    var reader = try ContentReader(newFile)
    var votes = [Int](repeating: 0, count: old.count)
    var voted: [Int] = []
    var expected = 0
    var result: [Int?] = []
    result.reserveCapacity(new.count)
    for stream in new {
      for sample in try sampler.samples(of: stream, reader: &reader) {
        table.forEach(sample) { number, weight in
          if votes[number] == 0 { voted.append(number) }
          votes[number] += weight
        }
      }
      var best = min(expected, old.count - 1)
      // Ties go to the expected one, then to the nearest to it.
      for number in voted where votes[number] >= votes[best] {
        let isNearer = abs(number - expected) < abs(best - expected)
        if votes[number] > votes[best] || isNearer { best = number }
      }
      for number in voted { votes[number] = 0 }
      voted.removeAll(keepingCapacity: true)
      result.append(best)
      expected = best + 1
    }
    return result
  }
}
