internal import Platform
internal import Transport
internal import Trust

extension Bundle {
  /// Streams a file into `sink`, after the bytes that the sink has already; exactly `size` bytes.
  ///
  /// - `progress`: gets the bytes that the sink has by now, and whether the work is to stop is asked with `shouldStop`.
  ///
  /// - Returns: the bytes that were read, those that were passed over included.
  func fetch<Sink: ByteSink & ~Copyable>(
    _ name: String, size: UInt64, into sink: inout Sink, progress: (UInt64) -> Void, shouldStop: () -> Bool
  ) throws(Failure) -> UInt64 {
    guard let found = try open(name) else { throw .notInBundle(name: name, path: path) }
    guard found == size else {
      throw .wrongSize(url: shown(name), expected: size, found: found)
    }
    if sink.count > size { try sink.reset() }
    var position: UInt64 = 0
    var buffer = Buffer(count: 32 << 10)
    while position < size {
      if shouldStop() { throw .cancelled }
      var bytes = buffer.mutableBytes
      let count = try read(into: &bytes)
      // A disk can lose the end of a file after its size was asked for.
      guard count > 0, UInt64(count) <= size - position else {
        throw .wrongSize(url: shown(name), expected: size, found: position + UInt64(count))
      }
      let known = Int(min(UInt64(count), sink.count - min(sink.count, position)))
      position += UInt64(count)
      guard known < count else { continue }
      try sink.write(buffer.bytes.extracting(known..<count))
      progress(sink.count)
    }
    return size
  }

  /// A whole file in memory; nil if it is not there.
  ///
  /// Of a longer one than `limit`, only one byte more, so that the reader refuses it.
  func bytes(of name: String, upTo limit: UInt64) throws(Failure) -> [UInt8]? {
    guard let size = try open(name) else { return nil }
    var all: [UInt8] = []
    var buffer = Buffer(count: 16 << 10)
    while all.count < size && all.count <= limit {
      var bytes = buffer.mutableBytes
      let count = try read(into: &bytes)
      if count == 0 { break }
      all.append(contentsOf: buffer.bytes.extracting(first: min(count, Int(clamping: limit) + 1 - all.count)))
    }
    return all
  }
}
