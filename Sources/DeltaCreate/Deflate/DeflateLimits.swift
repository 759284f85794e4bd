/// What is looked for when a file is searched for deflate streams, and how far.
package enum DeflateLimits {
  /// The least content, in bytes: what is smaller does not pay for being listed.
  package static let minimumContent = 64
  /// The most content, in bytes: the device may have to hold all of it.
  package static let maximumContent = 1536 << 10
  /// The fewest bytes of a stream: what is smaller does not pay for being listed.
  package static let minimumStream = 32
  /// The most extents of a file whose patch is made in so many bytes.
  ///
  /// Half of them are for what is known of the streams of both files: about 512 bytes for each extent.
  package static func maximumExtents(memory: Int) -> Int { memory / 1024 }
  /// The most chunks of a picture that are followed.
  static let maximumChunks = 4096
  /// Samples of old contents that are kept for finding pairs, each of 8 bytes.
  static let maximumSamples = 8 << 20
}
