/// Reads SQLite's numbers within a part of a file.
struct PageCursor {
  let file: UnsafeBufferPointer<UInt8>
  let start: Int
  let end: Int

  /// A number of one to nine bytes (1.6), and where the next byte is; nil if it does not end in time.
  func varint(at offset: Int) -> (value: UInt64, next: Int)? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard offset + index >= start, offset + index < end else { return nil }
      let byte = file[offset + index]
      if index == 8 { return (value << 8 | UInt64(byte), offset + 9) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return (value, offset + index + 1) }
    }
    return nil
  }
}
