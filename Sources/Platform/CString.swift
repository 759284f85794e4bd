internal import CPlatform

extension String {
  /// Calls `body` with the text as a NUL-terminated C string.
  ///
  /// The standard library's `withCString` only rethrows, which loses a typed error. A text that
  /// holds a NUL itself would name another file than it says: it becomes the empty path, which no
  /// system call accepts.
  package func withPlatformString<Result, Failure>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var bytes = [CChar]()
    bytes.reserveCapacity(utf8.count + 1)
    for byte in utf8 {
      if byte == 0 {
        bytes.removeAll()
        break
      }
      bytes.append(CChar(bitPattern: byte))
    }
    bytes.append(0)
    return try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
      // Never empty: the NUL was appended.
      // swift-format-ignore: NeverForceUnwrap
      try body(buffer.baseAddress!)
    }
  }

  /// The text of a C string that may be absent.
  package init(platformString pointer: UnsafePointer<CChar>?) {
    if let pointer { self = String(cString: pointer) } else { self = "" }
  }
}
