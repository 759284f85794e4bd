/// The bounds of the search for deflate streams.
package enum DeflateLimits {
  /// The smallest content, in bytes: rebuilding smaller ones saves less than it costs.
  package static let minimumContent = 64
  /// The largest content, in bytes: a device cannot resume within one.
  package static let maximumContent = 64 << 20
  /// The largest content if making a patch may take `memory` bytes: two of them are held, and searched for matches.
  static func maximumContent(memory: Int) -> Int { min(maximumContent, max(window, memory / 64)) }
  /// What a device holds of an old content, in bytes: with everything else 5 MiB.
  static let window = 1280 << 10
  /// The bytes of a file, besides eight times its size, that may be inflated for what is not a stream after all.
  static let maximumWaste = 96 << 20
  /// The smallest stream, in bytes: rebuilding smaller ones saves less than it costs.
  package static let minimumStream = 32
  /// The most extents to search for in a file, if making its patch may take `memory` bytes.
  ///
  /// The streams of both files may take half of that.
  package static func maximumExtents(memory: Int) -> Int { memory / (2 * DeflateLimits.memory(extents: 1)) }
  /// An estimate of the memory, in bytes, that streams with `extents` extents in all take.
  static func memory(extents: Int) -> Int { 512 * extents }
  /// The most chunks of a picture that are followed.
  static let maximumChunks = 4096
  /// Samples of old contents that are kept for finding pairs, each of 8 bytes.
  static let maximumSamples = 8 << 20
}
