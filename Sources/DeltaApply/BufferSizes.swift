/// The sizes of an applier's buffers, in bytes.
enum BufferSizes {
  /// Bytes of the old file that are held at a time.
  static var window: Int { 64 << 10 }
  /// Bytes of the new file that are read back at a time.
  static var newWindow: Int { 16 << 10 }
  /// Bytes of the new file that are written at a time.
  static var output: Int { 64 << 10 }
  /// Bytes of the patch that are read at a time.
  static var piece: Int { 16 << 10 }
  /// Bytes of a deflate stream that are written at a time.
  static var deflated: Int { 16 << 10 }
  /// A piece of the patch, the state of the digest and the headers of the buffers.
  static var overhead: Int { 20 << 10 }
}
