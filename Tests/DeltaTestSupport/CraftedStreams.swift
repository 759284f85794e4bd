/// A zlib stream (RFC 1950) of stored blocks of 100 bytes, as neither zlib nor a guide makes it: not all bits between a
/// block's header and its size are zero.
package func storedStream(_ content: [UInt8]) -> [UInt8] {
  var stream: [UInt8] = [0x78, 0x01]
  for start in stride(from: 0, to: content.count, by: 100) {
    let block = content[start..<min(start + 100, content.count)]
    let size = UInt8(block.count)
    stream += [start + 100 < content.count ? 8 : 9, size, 0, ~size, 0xff] + block
  }
  var (a, b): (UInt32, UInt32) = (1, 0)
  for byte in content {
    a = (a + UInt32(byte)) % 65521
    b = (b + a) % 65521
  }
  return stream + [b >> 8, b, a >> 8, a].map { UInt8(truncatingIfNeeded: $0) }
}

/// A picture (PNG) whose stream is split into chunks; its checksums are never checked.
package func picture(_ stream: [UInt8], chunks: Int = 1) -> [UInt8] {
  var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  for number in 0..<chunks {
    let data = stream[stream.count * number / chunks..<stream.count * (number + 1) / chunks]
    let size = [0, 0, UInt8(data.count >> 8), UInt8(data.count & 0xff)]
    file += size + Array("IDAT".utf8) + data + [0, 0, 0, 0]
  }
  return file + [0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]
}
