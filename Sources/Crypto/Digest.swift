internal import Platform

/// A SHA-256 digest (FIPS 180-4).
///
/// Fixed storage: no heap, no bytes of unknown length.
package struct Digest: Comparable, Hashable {
  package static let size = 32
  package internal(set) var bytes = [32 of UInt8](repeating: 0)

  /// 32 zeros: the digest of nothing that exists.
  package init() {}

  /// Takes the digest's own bytes; nil unless there are 32.
  package init?(_ raw: RawSpan) {
    guard raw.byteCount == Digest.size else { return nil }
    for index in 0..<Digest.size {
      bytes[index] = unsafe raw.unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }
  }

  /// Parses 64 lower-case hexadecimal digits; nil if it is anything else.
  package init?(hex: String) {
    guard hex.utf8.count == 2 * Digest.size else { return nil }
    var position = 0
    var high: UInt8 = 0
    for digit in hex.utf8 {
      guard let value = Hex.lowerCaseValue(digit) else { return nil }
      if position % 2 == 1 { bytes[position / 2] = high << 4 | value }
      high = value
      position += 1
    }
  }

  /// 64 lower-case hexadecimal digits.
  package var hex: String {
    var all: [UInt8] = []
    all.reserveCapacity(Digest.size)
    for index in 0..<Digest.size { all.append(bytes[index]) }
    return Hex.text(all)
  }

  /// The order of their text, too.
  package static func < (a: Digest, b: Digest) -> Bool {
    for index in 0..<size where a.bytes[index] != b.bytes[index] { return a.bytes[index] < b.bytes[index] }
    return false
  }

  package static func == (a: Digest, b: Digest) -> Bool {
    for index in 0..<size where a.bytes[index] != b.bytes[index] { return false }
    return true
  }

  package func hash(into hasher: inout Swift.Hasher) {
    for index in 0..<Digest.size { hasher.combine(bytes[index]) }
  }
}
