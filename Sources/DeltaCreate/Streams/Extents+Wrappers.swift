extension Extents {
  /// The size of a gzip header (RFC 1952, 2.3); nil if these bytes are not one.
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

  /// Whether the bytes begin with a zlib header (RFC 1950) without a dictionary.
  func hasZlibHeader() -> Bool {
    guard let first = byte(at: 0), let second = byte(at: 1) else { return false }
    return first & 15 == 8 && first >> 4 <= 7 && second & 0x20 == 0
      && (Int(first) << 8 + Int(second)) % 31 == 0
  }

  /// Where the image data of a PNG picture, one zlib stream, is in the file; nil if this is not a picture.
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
        if length > 0 { result += part(offset + 8..<offset + 8 + length) }
      } else if !result.isEmpty {
        break
      }
      offset += 12 + length
    }
    return result.isEmpty ? nil : result
  }
}
