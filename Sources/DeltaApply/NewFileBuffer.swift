/// Takes the next bytes of the new file.
package typealias WriteNewFile = (RawSpan) throws(DeltaError) -> Void

/// Collects bytes of the new file, so that it is written in large pieces.
struct NewFileBuffer: ~Copyable {
  private var buffer: [UInt8]
  private var count = 0
  /// The bytes of the new file so far, collected or written.
  private(set) var completed: UInt64

  init(capacity: Int, completed: UInt64) {
    buffer = [UInt8](repeating: 0, count: capacity)
    self.completed = completed
  }

  /// The bytes that can be appended before something has to be written.
  var room: Int { buffer.count - count }

  /// Appends bytes, which must fit.
  mutating func append(_ bytes: Span<UInt8>) {
    let start = count
    var span = buffer.mutableSpan
    span.replace(from: start, with: bytes)
    advance(by: bytes.count)
  }

  /// Appends old bytes, which must fit, and adds to them what the streams of a block say; false if those are
  /// contradictory.
  mutating func append(
    _ window: borrowing OldWindow, from offset: UInt64, _ length: Int, adding streams: inout BlockStreams,
    in block: Span<UInt8>
  ) -> Bool {
    let start = count
    var span = buffer.mutableSpan
    span.replace(from: start, with: window.bytes(from: offset, length))
    guard streams.addDifferences(to: &span, start..<start + length, in: block) else { return false }
    advance(by: length)
    return true
  }

  /// Writes what was collected.
  mutating func flush(_ write: WriteNewFile) throws(DeltaError) {
    guard count > 0 else { return }
    try write(buffer.span.bytes.extracting(0..<count))
    count = 0
  }

  private mutating func advance(by written: Int) {
    count += written
    completed += UInt64(written)
  }
}

extension MutableSpan where Element == UInt8 {
  /// Copies `bytes`, which must fit, over those from `start`.
  @_lifetime(self: copy self)
  fileprivate mutating func replace(from start: Int, with bytes: Span<UInt8>) {
    withUnsafeMutableBufferPointer { target in
      bytes.withUnsafeBufferPointer { source in
        let place = UnsafeMutableBufferPointer(rebasing: target[start..<start + source.count])
        _ = place.update(fromContentsOf: source)
      }
    }
  }
}
