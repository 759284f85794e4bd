/// What a reader holds of an old content that is larger than the head's largest one.
package enum ContentWindow {
  /// How many bytes before the furthest one that was inflated a copy may still take, of a window of `size` bytes.
  ///
  /// A quarter is left to inflate the next bytes into.
  package static func kept(of size: UInt64) -> UInt64 { size - size / 4 }

  /// The smallest window, in bytes: each piece that a reader copies at a time fits into what is kept.
  package static var smallest: Int { 128 << 10 }
}
