/// The bytes of a file that are in no deflate stream.
final class Residual {
  let bytes: UnsafeBufferPointer<UInt8>

  /// Leaves out these extents, which are in order and do not overlap.
  init(of file: UnsafeBufferPointer<UInt8>, without extents: [Range<Int>]) {
    let left = file.count - extents.reduce(0) { $0 + $1.count }
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(left, 1))
    var count = 0
    var end = 0
    for extent in extents + [file.count..<file.count] {
      count = bytes[count...].update(fromContentsOf: file[end..<extent.lowerBound])
      end = extent.upperBound
    }
    self.bytes = UnsafeBufferPointer(rebasing: bytes[..<left])
  }

  deinit { bytes.deallocate() }
}
