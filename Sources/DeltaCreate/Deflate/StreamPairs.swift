/// Finds for each stream of a new file the stream of the old file whose content resembles it most.
///
/// Nothing is known of what the streams are. Contents are compared by samples: hashes of windows of `windowSize` bytes, of which those are
/// kept whose value itself says so, in old and new alike; what is equal gives equal samples wherever it stands. Each
/// sample that both have is a vote, the stronger the fewer old streams have it.
package enum StreamPairs {
  /// For each new stream the number of an old one; nil only if there is no old one.
  ///
  /// Where nothing is alike it is the one behind that of the stream before.
  package static func pairs(
    old: [DeflateStream], in oldFile: UnsafeBufferPointer<UInt8>, new: [DeflateStream],
    in newFile: UnsafeBufferPointer<UInt8>
  ) throws(DeltaCreateError) -> [Int?] {
    guard !old.isEmpty else { return new.map { _ in nil } }
    let largest = max(old.map(\.contentSize).max() ?? 0, new.map(\.contentSize).max() ?? 0)
    var sampler = Sampler(total: old.reduce(0) { $0 + $1.contentSize }, largest: largest)
    let table = try SampleTable(old, in: oldFile, &sampler)
    var reader = try ContentReader(newFile)
    var votes = [Int](repeating: 0, count: old.count)
    var voted: [Int] = []
    var expected = 0
    var result: [Int?] = []
    result.reserveCapacity(new.count)
    for stream in new {
      for sample in try sampler.samples(of: stream, &reader) {
        table.forEach(sample) { number, weight in
          if votes[number] == 0 { voted.append(number) }
          votes[number] += weight
        }
      }
      var best = min(expected, old.count - 1)
      // The expected one wins a tie, then the nearest to it.
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

/// Takes samples of contents.
private struct Sampler: ~Copyable {
  /// What is compared at a time, in bytes.
  static var windowSize: Int { 16 }
  /// One of so many windows is kept at least.
  static var sparsest: Int { 16 }

  private let content: UnsafeMutableBufferPointer<UInt8>
  private var found: [UInt64] = []
  /// A window is kept if these bits of its hash are zero.
  private let mask: UInt64

  /// - `total`: bytes of all old contents, which must not give more samples than there may be.
  /// - `largest`: bytes of the largest content, old or new.
  init(total: Int, largest: Int) {
    var every = Sampler.sparsest
    while total / every > DeflateLimits.maximumSamples / 2 { every *= 2 }
    mask = UInt64(every - 1) << 20
    content = .allocate(capacity: largest)
  }

  deinit { content.deallocate() }

  /// The samples of a content in order, each once: hashes of which the lowest 20 bits are zero.
  mutating func samples(
    of stream: DeflateStream, _ reader: inout ContentReader
  ) throws(DeltaCreateError) -> [UInt64] {
    try reader.read(stream, into: content)
    found.removeAll(keepingCapacity: true)
    let size = Sampler.windowSize
    guard stream.contentSize >= size else { return [] }
    // The hash of a window is a polynomial in an odd number, so a step adds a byte and removes one.
    var power: UInt64 = 1
    for _ in 1..<size { power = power &* Sampler.base }
    var hash: UInt64 = 0
    for index in 0..<stream.contentSize {
      hash = hash &* Sampler.base &+ UInt64(content[index])
      guard index >= size - 1 else { continue }
      // The high bits are the well mixed ones.
      let mixed = (hash ^ hash >> 32) &* 0x9e37_79b9_7f4a_7c15
      if mixed & mask == 0 { found.append(mixed & ~SampleTable.streamMask) }
      hash = hash &- power &* UInt64(content[index - size + 1])
    }
    found.sort()
    var unique = 0
    for index in found.indices where index == 0 || found[index] != found[unique - 1] {
      found[unique] = found[index]
      unique += 1
    }
    found.removeLast(found.count - unique)
    return found
  }

  private static var base: UInt64 { 0x5851_f42d_4c95_7f2d }
}

/// Which old streams have which samples.
private struct SampleTable {
  /// The low bits of an entry tell the stream, the others the sample.
  static var streamMask: UInt64 { 1 << 20 - 1 }
  /// A sample that more streams have tells nothing.
  static var maximumHolders: Int { 32 }

  /// In order.
  private var entries: [UInt64] = []

  init(
    _ streams: [DeflateStream], in file: UnsafeBufferPointer<UInt8>, _ sampler: inout Sampler
  ) throws(DeltaCreateError) {
    var reader = try ContentReader(file)
    for (number, stream) in streams.enumerated() where number <= SampleTable.streamMask {
      for sample in try sampler.samples(of: stream, &reader)
      where entries.count < DeflateLimits.maximumSamples {
        entries.append(sample | UInt64(number))
      }
    }
    entries.sort()
  }

  /// Tells the streams that have a sample, and what it is worth as a vote for each.
  func forEach(_ sample: UInt64, _ body: (_ stream: Int, _ weight: Int) -> Void) {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle] < sample { low = middle + 1 } else { high = middle }
    }
    var end = low
    while end < entries.count, entries[end] & ~SampleTable.streamMask == sample {
      end += 1
      if end - low > SampleTable.maximumHolders { return }
    }
    for index in low..<end {
      body(Int(entries[index] & SampleTable.streamMask), 2 * SampleTable.maximumHolders / (end - low))
    }
  }
}
