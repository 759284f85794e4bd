internal import PatchFormat

/// How a new file is made of an old one: operations, and streams with operations of their own.
struct PatchScript {
  let old: UnsafeBufferPointer<UInt8>
  /// The new file without the bytes that are in `streams`.
  let new: UnsafeBufferPointer<UInt8>
  let operations: [ScriptOperation]
  /// In the order of their beginnings.
  var streams: [StreamScript] = []
  /// The new file whole.
  var file: UnsafeBufferPointer<UInt8>
  /// Owns `new` if there are streams.
  var rest: RestOfFile?

  /// Without streams.
  init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, operations: [ScriptOperation]
  ) {
    self.old = old
    self.new = new
    self.operations = operations
    file = new
  }

  /// Inflates the streams of both files.
  struct Contents: ~Copyable {
    var old: ContentReader
    var new: ContentReader
  }

  func contents() throws(DeltaCreateError) -> Contents {
    Contents(old: try ContentReader(old), new: try ContentReader(file))
  }
}

/// The bytes of a file that are in no stream.
final class RestOfFile {
  let bytes: UnsafeBufferPointer<UInt8>

  /// Leaves out these stretches, which are in order and do not overlap.
  init(of file: UnsafeBufferPointer<UInt8>, without stretches: [Range<Int>]) {
    let left = file.count - stretches.reduce(0) { $0 + $1.count }
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(left, 1))
    var count = 0
    var end = 0
    for stretch in stretches + [file.count..<file.count] {
      count = bytes[count...].update(fromContentsOf: file[end..<stretch.lowerBound])
      end = stretch.upperBound
    }
    self.bytes = UnsafeBufferPointer(rebasing: bytes[..<left])
  }

  deinit { bytes.deallocate() }
}

/// How the content of a deflate stream is made.
struct StreamScript {
  /// How many bytes that are in no stream stand before it.
  let offset: Int
  let target: DeflateStream
  /// Nil if it is made of nothing.
  let source: DeflateStream?
  /// Offsets in the content of both.
  let operations: [ScriptOperation]
}

extension ScriptOperation {
  /// The part that makes these bytes of the new file.
  func part(_ range: Range<Int>) -> ScriptOperation {
    switch kind {
    case .copyOld, .resumeOld, .copyNew:
      ScriptOperation(
        kind: kind, new: range.lowerBound, source: source + range.lowerBound - new, length: range.count)
    case .copyOldReversed, .copyNewReversed:
      ScriptOperation(
        kind: kind, new: range.lowerBound, source: source - (range.lowerBound - new), length: range.count)
    case .numbers: ScriptOperation(kind: kind, new: range.lowerBound, source: 0, length: range.count)
    }
  }
}
