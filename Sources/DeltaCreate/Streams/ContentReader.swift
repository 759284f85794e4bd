internal import Codec

/// Inflates streams of a file, one after the other, with the same memory.
package struct ContentReader: ~Copyable {
  private let file: UnsafeBufferPointer<UInt8>
  private var inflater: Inflater

  /// The file has to outlive the reader.
  package init(_ file: UnsafeBufferPointer<UInt8>) throws(DeltaCreateError) {
    self.file = file
    do throws(CodecError) { inflater = try Inflater(.raw) } catch { throw .codec(error) }
  }

  /// Writes the content of a stream, which has to be one of this file, to the front of `buffer`.
  ///
  /// `buffer` has at least `stream.contentSize` bytes.
  package mutating func read(
    _ stream: DeflateStream, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(DeltaCreateError) {
    let found = try inflate(stream.extents, wrapper: stream.wrapper, into: buffer, limit: stream.contentSize)
    guard found.isWhole, found.written == stream.contentSize, found.read == stream.size else {
      throw .codec(.corrupt)
    }
  }

  /// What operations make for a stream of this file: its content, with its guide if it has one.
  package mutating func content(of stream: DeflateStream) throws(DeltaCreateError) -> [UInt8] {
    var content = [UInt8](repeating: 0, count: stream.contentSize)
    try content.withUnsafeMutableBufferPointer { (buffer) throws(DeltaCreateError) in
      try read(stream, into: buffer)
    }
    guard let guide = stream.guide else { return content }
    return content.withUnsafeBufferPointer { guide.made(with: $0) }
  }

  /// How far inflating came, in bytes, and whether it reached the end of a stream.
  struct Progress {
    var read = 0
    var written = 0
    var isWhole = false
  }

  /// Inflates what begins at the front of `extents`, up to `limit` bytes.
  mutating func inflate(
    _ extents: [Range<Int>], wrapper: DeflateParameters.Wrapper,
    into buffer: UnsafeMutableBufferPointer<UInt8>,
    limit: Int
  ) throws(DeltaCreateError) -> Progress {
    try inflate(extents, wrapper: wrapper, into: buffer[..<limit], keepsContent: true)
  }

  /// Inflates what begins at the front of `extents`, however much it is, and overwrites `buffer` again and again.
  mutating func follow(
    _ extents: [Range<Int>], wrapper: DeflateParameters.Wrapper,
    through buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(DeltaCreateError) -> Progress {
    try inflate(extents, wrapper: wrapper, into: buffer[...], keepsContent: false)
  }

  private mutating func inflate(
    _ extents: [Range<Int>], wrapper: DeflateParameters.Wrapper,
    into buffer: Slice<UnsafeMutableBufferPointer<UInt8>>, keepsContent: Bool
  ) throws(DeltaCreateError) -> Progress {
    var progress = Progress()
    do throws(CodecError) {
      try inflater.reset(wrapper)
      for extent in extents {
        var offset = extent.lowerBound
        while offset < extent.upperBound {
          let input = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: file[offset..<extent.upperBound]))
          let room = UnsafeMutableRawBufferPointer(
            UnsafeMutableBufferPointer(rebasing: keepsContent ? buffer[progress.written...] : buffer))
          var output = MutableRawSpan(_unsafeBytes: room)
          let counts = try inflater.inflate(RawSpan(_unsafeBytes: input), into: &output)
          offset += counts.read
          progress.read += counts.read
          progress.written += counts.written
          progress.isWhole = inflater.isFinished
          // Without progress there is more content than room.
          if inflater.isFinished || counts.read + counts.written == 0 { return progress }
        }
      }
    } catch {
      if error == .outOfMemory { throw .codec(error) }
      progress.read = inflater.total.read
      progress.written = inflater.total.written
    }
    return progress
  }
}
