internal import Codec

/// Streams that lie in one piece, and pictures, whose stream is cut into chunks.
extension DeflateFinder {
  /// Goes through all bytes of the file.
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

  /// How far to go on: behind a stream that was found, else by one byte.
  private func step(_ finding: Finding, behind header: Int = 0) -> Int {
    switch finding {
    case .stream(let bytes), .large(let bytes): header + bytes
    case .none: 1
    }
  }

  private mutating func gzip(at offset: Int) throws(DeltaCreateError) -> Int {
    let all = ExtentReader(file: file, extents: Extents([offset..<file.count]))
    guard let header = all.gzipHeader() else { return 1 }
    return step(try take(all.extents.ranges, .gzip, header: header))
  }

  private mutating func zlib(at offset: Int) throws(DeltaCreateError) -> Int {
    switch file[offset + 1] {
    case 0x01, 0x5e, 0x9c, 0xda: return step(try take([offset..<file.count], .zlib, header: 2))
    default: return 1
    }
  }

  private mutating func png(at offset: Int) throws(DeltaCreateError) -> Int {
    let all = ExtentReader(file: file, extents: Extents([offset..<file.count]))
    guard let data = all.pngData() else {
      wasted += DeflateLimits.maximumChunks
      return 1
    }
    if case .none = try take(data, .zlib, header: 2) { return 1 }
    return (data.last?.upperBound ?? offset + 1) - offset
  }

  /// A local file header of a zip archive (APPNOTE.TXT, 4.3.7) and the deflated file behind it.
  private mutating func zip(at offset: Int) throws(DeltaCreateError) -> Int {
    let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: file[offset...]))
    guard bytes.count > 30, bytes.little32(at: 0) == 0x0403_4b50, bytes.little16(at: 8) == 8 else { return 1 }
    let flags = bytes.little16(at: 6)
    let header = 30 + bytes.little16(at: 26) + bytes.little16(at: 28)
    guard flags & 1 == 0, header < bytes.count else { return 1 }
    let isSizedBehind = flags & 8 != 0
    let sizes = (packed: bytes.little32(at: 18), content: bytes.little32(at: 22))
    // In archives beyond 4 GiB the sizes stand elsewhere.
    let isKnown = !isSizedBehind && sizes.packed != 0xffff_ffff && sizes.content != 0xffff_ffff
    let place = [offset + header..<file.count]
    let finding = try take(
      place, .raw, size: isKnown ? sizes.packed : nil, contentSize: isKnown ? sizes.content : nil)
    return step(finding, behind: header)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func little16(at offset: Int) -> Int {
    Int(UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  fileprivate func little32(at offset: Int) -> Int {
    Int(UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}

// MARK: - Wrappers

extension ExtentReader {
  /// The size of a gzip header (RFC 1952, 2.3); nil if there is none.
  func gzipHeader() -> Int? {
    guard begins(with: [0x1f, 0x8b, 8]), let flags = byte(at: 3), flags & 0xe0 == 0 else { return nil }
    var offset = 10
    if flags & 4 != 0 {
      guard let low = byte(at: offset), let high = byte(at: offset + 1) else { return nil }
      offset += 2 + Int(low) + Int(high) << 8
    }
    // Name and comment end with a zero.
    for flag in [8, 16] as [UInt8] where flags & flag != 0 {
      let limit = offset + 4096
      while let byte = byte(at: offset), byte != 0, offset < limit { offset += 1 }
      offset += 1
    }
    if flags & 2 != 0 { offset += 2 }
    return offset < count ? offset : nil
  }

  /// Whether a zlib header (RFC 1950) without a dictionary stands at the front.
  func hasZlibHeader() -> Bool {
    guard let first = byte(at: 0), let second = byte(at: 1) else { return false }
    return first & 15 == 8 && first >> 4 <= 7 && second & 0x20 == 0
      && (Int(first) << 8 + Int(second)) % 31 == 0
  }

  /// Where the image data of a PNG picture lies in the file, which is one zlib stream; nil if this is none.
  func pngData() -> [Range<Int>]? {
    guard begins(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) else { return nil }
    var result: [Range<Int>] = []
    var offset = 8
    for _ in 0..<DeflateLimits.maximumChunks {
      // Length, type, data, checksum.
      guard let length = bigEndian32(at: offset).map(Int.init), let type = bigEndian32(at: offset + 4),
        length <= count - offset - 12
      else { break }
      if type == 0x4944_4154 {  // IDAT
        if length > 0 { result += extents.part(offset + 8..<offset + 8 + length) }
      } else if !result.isEmpty {
        break
      }
      offset += 12 + length
    }
    return result.isEmpty ? nil : result
  }
}
