internal import CZlib

extension CodecError {
  /// Every result of zlib by name; nil means keep going.
  init?(zlib result: CInt) {
    switch result {
    case Z_OK, Z_STREAM_END: return nil
    case Z_BUF_ERROR: return nil  // no progress was possible: the caller sees that from the counts
    case Z_MEM_ERROR: self = .outOfMemory
    case Z_NEED_DICT, Z_STREAM_ERROR, Z_VERSION_ERROR: self = .unsupported
    default: self = .corrupt  // also Z_DATA_ERROR; an unknown code fails closed
    }
  }
}

extension UnsafeMutablePointer<z_stream> {
  /// One call of a coder over spans, writing from `offset` of the output; what it took and gave.
  ///
  /// A single call takes no more than 1 GiB, because zlib counts in 32 bits.
  func code(
    _ input: RawSpan, into output: inout MutableRawSpan, at offset: Int,
    _ call: (UnsafeMutablePointer<z_stream>) -> CInt
  ) -> (result: CInt, counts: CodedBytes) {
    let inputCount = UInt32(min(input.byteCount, 1 << 30))
    let outputCount = UInt32(min(output.byteCount - offset, 1 << 30))
    let result = input.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { output in
        // zlib does not write through `next_in`; it lacks a const in the header.
        pointee.next_in = UnsafeMutablePointer<UInt8>(
          mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        pointee.avail_in = inputCount
        // Without room zlib still wants an address, which it leaves alone: a trailer can be read without room.
        let room = outputCount == 0 ? UnsafeMutableRawPointer(self) : output.baseAddress?.advanced(by: offset)
        pointee.next_out = room?.assumingMemoryBound(to: UInt8.self)
        pointee.avail_out = outputCount
        return call(self)
      }
    }
    let counts = CodedBytes(
      read: Int(inputCount - pointee.avail_in), written: Int(outputCount - pointee.avail_out))
    return (result, counts)
  }
}
