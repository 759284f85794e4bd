/// The encoding of libcrypto's structures that its `i2d_` functions write.
package enum DER {
  /// Calls `write` twice: without a buffer for the number of bytes, then with one that it fills and moves to its end.
  package static func bytes(
    _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
  ) throws(KeyError) -> [UInt8] {
    let count = Int(write(nil))
    guard count > 0 else { throw .refused }
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    let written = span.withUnsafeMutableBufferPointer {
      var next = $0.baseAddress
      return write(&next)
    }
    guard written == count else { throw .refused }
    return bytes
  }
}
