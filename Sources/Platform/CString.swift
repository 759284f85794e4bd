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
    try platformBytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
      // Never empty: the NUL was appended.
      // swift-format-ignore: NeverForceUnwrap
      try body(buffer.baseAddress!)
    }
  }

  /// One function for all results: the compiler makes one of `withPlatformString` for each.
  private var platformBytes: [CChar] {
    @inline(never) get {
      var bytes = [CChar]()
      bytes.reserveCapacity(utf8.count + 1)
      for byte in utf8 {
        if byte == 0 { return [0] }
        bytes.append(CChar(bitPattern: byte))
      }
      bytes.append(0)
      return bytes
    }
  }

  /// The text of a C string that may be absent.
  package init(platformString pointer: UnsafePointer<CChar>?) {
    if let pointer { self = String(cString: pointer) } else { self = "" }
  }
}
