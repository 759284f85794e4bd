/// How many bytes at the front of two buffers are equal.
func equalBytes(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, atMost limit: Int) -> Int {
  let a = UnsafeRawPointer(a)
  let b = UnsafeRawPointer(b)
  var count = 0
  while count + 8 <= limit {
    let x = a.loadUnaligned(fromByteOffset: count, as: UInt64.self)
    let y = b.loadUnaligned(fromByteOffset: count, as: UInt64.self)
    if x != y { return count + UInt64(littleEndian: x ^ y).trailingZeroBitCount >> 3 }
    count += 8
  }
  while count < limit,
    a.load(fromByteOffset: count, as: UInt8.self) == b.load(fromByteOffset: count, as: UInt8.self)
  {
    count += 1
  }
  return count
}
