/// Takes samples of contents.
struct Sampler: ~Copyable {
  /// The size of a window, in bytes.
  static var windowSize: Int { 16 }

  private let content: UnsafeMutableBufferPointer<UInt8>
  private var found: [UInt64] = []
  /// A window is kept if these bits of its hash are zero.
  private let mask: UInt64

  /// - `total`: bytes of all old contents, which limits how many windows are kept.
  /// - `largest`: bytes of the largest content, old or new.
  init(total: Int, largest: Int) {
    var every = Tuning.Sampler.sparsest
    while total / every > DeflateLimits.maximumSamples / 2 { every *= 2 }
    mask = UInt64(every - 1) << 20
    content = .allocate(capacity: largest)
  }

  deinit { content.deallocate() }

  /// The samples of a content in order, each once: hashes whose lowest 20 bits are zero.
  mutating func samples(
    of stream: DeflateStream, reader: inout ContentReader
  ) throws(DeltaCreateError) -> [UInt64] {
    try reader.read(stream, into: content)
    found.removeAll(keepingCapacity: true)
    let size = Sampler.windowSize
    guard stream.contentSize >= size else { return [] }
    // The hash of a window is a polynomial in an odd number, so the next one adds a byte and removes one.
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
