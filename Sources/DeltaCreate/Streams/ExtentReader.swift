/// The bytes of a part of a file, read with their bounds checked.
struct ExtentReader {
  let file: UnsafeBufferPointer<UInt8>
  let extents: Extents

  var count: Int { extents.count }

  /// Nil after the end.
  func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < extents.count else { return nil }
    return file[extents.fileOffset(of: offset)]
  }

  func bigEndian32(at offset: Int) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<4 {
      guard let byte = byte(at: offset + index) else { return nil }
      value = value << 8 | UInt32(byte)
    }
    return value
  }

  func begins(with bytes: [UInt8], at offset: Int = 0) -> Bool {
    for (index, expected) in bytes.enumerated() where byte(at: offset + index) != expected { return false }
    return true
  }
}
