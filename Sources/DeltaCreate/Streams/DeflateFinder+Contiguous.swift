internal import Codec
internal import PatchFormat

/// Streams in one piece, and pictures, whose stream is split into chunks.
extension DeflateFinder {
  /// Searches all bytes of the file.
  mutating func searchContiguous() throws(DeltaCreateError) {
    var offset = 0
    while offset + DeflateLimits.minimumStream <= file.count && !stops(at: offset) {
      let first = file[offset]
      switch first {
      case 0x1f: offset += try gzip(at: offset)
      case 0x78: offset += try zlib(at: offset)
      case 0x50: offset += try zip(at: offset)
      case 0x89: offset += try png(at: offset)
      default: offset += 1
      }
    }
  }

  /// How far to advance: past a stream that was found, otherwise by one byte.
  private func step(_ finding: Finding, after header: Int = 0) -> Int {
    switch finding {
    case .stream(let bytes), .large(let bytes): header + bytes
    case .none: 1
    }
  }

  private mutating func gzip(at offset: Int) throws(DeltaCreateError) -> Int {
    let all = Extents([offset..<file.count], of: file)
    guard let header = all.gzipHeader() else { return 1 }
    return step(try take(all.ranges, wrapper: .gzip, header: header))
  }

  private mutating func zlib(at offset: Int) throws(DeltaCreateError) -> Int {
    switch file[offset + 1] {
    case 0x01, 0x5e, 0x9c, 0xda: return step(try take([offset..<file.count], wrapper: .zlib, header: 2))
    default: return 1
    }
  }

  private mutating func png(at offset: Int) throws(DeltaCreateError) -> Int {
    guard let data = Extents([offset..<file.count], of: file).pngData() else {
      wasted += DeflateLimits.maximumChunks
      return 1
    }
    if case .none = try take(data, wrapper: .zlib, header: 2) { return 1 }
    return (data.last?.upperBound ?? offset + 1) - offset
  }

  /// A local file header of a zip archive (APPNOTE.TXT, 4.3.7) and the deflated file after it.
  private mutating func zip(at offset: Int) throws(DeltaCreateError) -> Int {
    let bytes = RawSpan(_unsafeBytes: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: file[offset...])))
    guard bytes.integer(UInt32.self, at: 0) == 0x0403_4b50, bytes.integer(UInt16.self, at: 8) == 8,
      let flags = bytes.integer(UInt16.self, at: 6), let packedSize = bytes.integer(UInt32.self, at: 18),
      let contentSize = bytes.integer(UInt32.self, at: 22), let name = bytes.integer(UInt16.self, at: 26),
      let extra = bytes.integer(UInt16.self, at: 28)
    else { return 1 }
    let header = 30 + Int(name) + Int(extra)
    guard flags & 1 == 0, header < bytes.byteCount else { return 1 }
    let isSizeAfterData = flags & 8 != 0
    // In archives larger than 4 GiB the sizes are elsewhere.
    let isKnown = !isSizeAfterData && packedSize != .max && contentSize != .max
    let finding = try take(
      [offset + header..<file.count], wrapper: .raw, size: isKnown ? Int(packedSize) : nil,
      contentSize: isKnown ? Int(contentSize) : nil)
    return step(finding, after: header)
  }
}
