internal import Platform

/// The bytes of a file that are in no deflate stream, and the one place where an offset in the file becomes one in these bytes.
final class Residual {
  let bytes: UnsafeBufferPointer<UInt8>
  /// For each extent that is left out, by where it begins in the file: the bytes here that come before it.
  private let offsets: [Int: Int]
  /// What holds them.
  private let memory: UnsafeMutableBufferPointer<UInt8>?
  private let file: MappedFile?

  /// Leaves out these extents, which are in order and do not overlap.
  ///
  /// - `directory`: where a file without a name holds the bytes; nil: they are in memory.
  init(
    of whole: UnsafeBufferPointer<UInt8>, without extents: [Range<Int>], in directory: String? = nil
  ) throws(DeltaCreateError) {
    let left = Residual.ranges(of: whole, between: extents)
    var (offsets, leftOut) = ([Int: Int](), 0)
    for extent in extents {
      offsets[extent.lowerBound] = extent.lowerBound - leftOut
      leftOut += extent.count
    }
    self.offsets = offsets
    if let directory {
      do throws(Failure) {
        let file = try File(unnamedIn: Directory(opening: directory))
        for range in left {
          let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: whole[range]))
          try file.write(RawSpan(_unsafeBytes: bytes))
        }
        let mapped = try MappedFile(file)
        bytes = mapped.bytes
        memory = nil
        self.file = consume mapped
      } catch { throw .file(error) }
    } else {
      let size = left.reduce(0) { $0 + $1.count }
      let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(size, 1))
      var count = 0
      for range in left { count = memory[count...].update(fromContentsOf: whole[range]) }
      bytes = UnsafeBufferPointer(rebasing: memory[..<size])
      self.memory = memory
      file = nil
    }
  }

  deinit { memory?.deallocate() }

  /// How many of these bytes come before an extent that is left out, which begins there in the file.
  func offset(ofExtentAt begin: Int) -> Int { offsets[begin] ?? 0 }

  private static func ranges(
    of file: UnsafeBufferPointer<UInt8>, between extents: [Range<Int>]
  ) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var end = 0
    for extent in extents + [file.count..<file.count] {
      if extent.lowerBound > end { ranges.append(end..<extent.lowerBound) }
      end = extent.upperBound
    }
    return ranges
  }
}
