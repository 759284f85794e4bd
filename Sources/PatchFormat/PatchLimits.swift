/// The bounds of a patch, each with its reason; sizes are in bytes.
package enum PatchLimits {
  /// No file that a device has is larger, and the sum of two such sizes is still a 64-bit number.
  package static var maximumFile: UInt64 { 1 << 48 }
  /// A frame is held in memory whole; a larger one only delays the first use of its bytes.
  package static var payload: ClosedRange<UInt64> { 1...1 << 20 }
  /// A block is held in memory whole; larger ones compress no better.
  package static var block: ClosedRange<UInt64> { 1...4 << 20 }
  /// Bytes of an old content that a device holds at a time: all of a smaller one, a window of a larger one.
  package static var maximumContent: UInt64 { 4 << 20 }
  /// Extents that one deflate stream may consist of, and extents that may be reserved at a time: 4,096 overflow pages of
  /// a database are 16 MiB.
  package static var maximumExtents: Int { 4096 }
}
