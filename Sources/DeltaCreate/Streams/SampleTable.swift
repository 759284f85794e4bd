/// Which old streams have which samples.
struct SampleTable {
  /// The low bits of an entry are the number of a stream, the others the sample.
  static var streamMask: UInt64 { 1 << 20 - 1 }

  /// In order.
  private var entries: [UInt64] = []

  init(
    _ streams: [DeflateStream], in file: UnsafeBufferPointer<UInt8>, sampler: inout Sampler
  ) throws(DeltaCreateError) {
    var reader = try ContentReader(file)
    for (number, stream) in streams.enumerated() where number <= SampleTable.streamMask {
      for sample in try sampler.samples(of: stream, reader: &reader)
      where entries.count < DeflateLimits.maximumSamples {
        entries.append(sample | UInt64(number))
      }
    }
    entries.sort()
  }

  /// Calls `body` with the streams that have a sample, and the weight of its vote for each.
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
      if end - low > Tuning.SampleTable.maximumHolders { return }
    }
    for index in low..<end {
      body(Int(entries[index] & SampleTable.streamMask), 2 * Tuning.SampleTable.maximumHolders / (end - low))
    }
  }
}
