internal import CCrypto

/// A SHA-256 digest (FIPS 180-4).
///
/// Fixed storage: no heap, no bytes of unknown length.
package struct Digest: Equatable {
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
    let digits = Array(hex.utf8)
    guard digits.count == 2 * Digest.size else { return nil }
    for index in 0..<Digest.size {
      guard let high = Digest.value(digits[2 * index]), let low = Digest.value(digits[2 * index + 1]) else {
        return nil
      }
      bytes[index] = high << 4 | low
    }
  }

  /// 64 lower-case hexadecimal digits.
  package var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * Digest.size)
    for index in 0..<Digest.size {
      text.append(digits[Int(bytes[index] >> 4)])
      text.append(digits[Int(bytes[index] & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Constant-time, so that timing tells nothing about where two digests differ.
  package static func == (a: Digest, b: Digest) -> Bool {
    a.bytes.span.withUnsafeBytes { a in
      b.bytes.span.withUnsafeBytes { b in CRYPTO_memcmp(a.baseAddress, b.baseAddress, size) == 0 }
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
