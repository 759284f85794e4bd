/// The size of LZMA's dictionary as one byte: 2 or 3 times a power of two, as in `.xz` (its specification, 5.3.1).
///
/// Code 0 means no dictionary: sections are stored. Code 1 means 6 KiB; 4 KiB has no code of its own.
package enum DictionaryCode {
  /// The valid codes of a compressed patch: the largest means what a device with a few hundred MiB would give.
  static var range: ClosedRange<UInt8> { 1...28 }

  /// The largest dictionary, in bytes.
  package static var maximumSize: UInt32 { size(range.upperBound) }

  /// The size in bytes that a code means.
  static func size(_ code: UInt8) -> UInt32 {
    code == 0 ? 0 : (2 | UInt32(code & 1)) << (UInt32(code) / 2 + 11)
  }

  /// The code of the smallest dictionary with at least `size` bytes.
  static func code(atLeast size: UInt32) -> UInt8 {
    guard size > 0 else { return 0 }
    return range.first { DictionaryCode.size($0) >= size } ?? range.upperBound
  }

  /// The smallest dictionary with a code and at least `size` bytes.
  package static func rounded(_ size: UInt32) -> UInt32 { DictionaryCode.size(code(atLeast: size)) }
}
