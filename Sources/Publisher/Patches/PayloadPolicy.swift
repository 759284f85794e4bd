/// Decides whether a payload is worth storing on the server.
enum PayloadPolicy {
  /// A packed component saves at least three per cent.
  static func keepsPacked(_ packed: UInt64, insteadOf size: UInt64) -> Bool {
    size > 0 && share(packed, of: size) <= 0.97
  }

  /// A patch saves at least a fifth of the full download.
  static func keepsPatch(_ patch: UInt64, insteadOf full: UInt64) -> Bool {
    full > 0 && share(patch, of: full) <= 0.8
  }

  private static func share(_ part: UInt64, of whole: UInt64) -> Double { Double(part) / Double(whole) }
}
