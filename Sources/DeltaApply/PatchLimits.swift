/// The bounds of a patch, each with its reason; sizes are in bytes.
package enum PatchLimits {
  /// No file that a device has is larger, and the sum of two such sizes is still a 64-bit number.
  package static var maximumFile: UInt64 { 1 << 48 }
  /// From the least that LZMA knows to the most that a device with some hundred MiB would give.
  package static var dictionary: ClosedRange<UInt32> { 4 << 10...64 << 20 }
  /// The codes of these dictionaries; 1 stands for 6 KiB, and 4 KiB, which would be 0, are not worth a code.
  static var dictionaryCode: ClosedRange<UInt8> { 1...28 }
  /// A frame is in memory whole; a larger one only delays the first use of its bytes.
  package static var payload: ClosedRange<UInt64> { 1...1 << 20 }
  /// A block is in memory whole; larger ones compress no better.
  package static var block: ClosedRange<UInt64> { 1...4 << 20 }
  /// The content of a deflate stream is in memory whole, old and new.
  package static var maximumContent: UInt64 { 4 << 20 }

  /// Bytes of the old file that are held at a time.
  static var window: Int { 64 << 10 }
  /// Bytes of the new file that are read back at a time.
  static var newWindow: Int { 16 << 10 }
  /// Bytes of the new file that are written at a time.
  static var output: Int { 64 << 10 }
  /// Bytes of the patch that are read at a time.
  static var piece: Int { 16 << 10 }
  /// Bytes of a deflated stream that are written at a time.
  static var packed: Int { 16 << 10 }
  /// Stretches of a file that streams are in and the bytes around them have not come to: 4,096 overflow pages of a
  /// database are 16 MiB.
  package static var maximumClaims: Int { 4096 }
  /// A piece of the patch, the digest's state and the headers of the buffers.
  static var sundries: Int { 20 << 10 }
}
