/// Finds the longest match of any bytes in an old file.
protocol MatchIndex: ~Copyable {
  /// Matches are found at every `step`-th offset of the old file, or once in that many bytes.
  var step: Int { get }
  /// How many bytes of the new file are searched as one; more than one window, and several threads search at a time.
  static var window: Int { get }
  /// The longest match of the front of `pattern`, which has `count` bytes; length 0 if none is known.
  func longestMatch(of pattern: UnsafePointer<UInt8>, count: Int) -> Match
}
