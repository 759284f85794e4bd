internal import Platform

/// A sample of the pieces of a file, by which files with common content are recognized wherever that content lies.
///
/// The file is cut where a rolling hash of its bytes says so (Muthitacharoen et al., A Low-bandwidth Network File System,
/// 2001, section 3.1), and of the pieces, those whose hash is small are kept (Broder, On the resemblance and containment of
/// documents, 1997).
struct ContentSketch: Sendable {
  private var samples: Set<UInt64> = []

  /// Reads the file.
  init(of path: String) throws(PublisherError) {
    let table = ContentSketch.table
    var (rolling, piece) = (0 as UInt64, 0 as UInt64)
    _ = try FileDigest.read(path) { (bytes) throws(PublisherError) in
      bytes.withUnsafeBytes { bytes in
        for byte in bytes {
          rolling = rolling << 1 &+ table[Int(byte)]
          piece = (piece ^ UInt64(byte)) &* 0x100_0000_01b3
          guard rolling >> (64 - ContentSketch.cutBits) == 0 else { continue }
          let mixed = piece &* 0x9e37_79b9_7f4a_7c15
          if mixed >> (64 - ContentSketch.sampleBits) == 0 { samples.insert(mixed) }
          piece = 0
        }
      }
    }
  }

  /// How much of this file is in another, from 0 to 1, roughly; 0 for files that are too small to say.
  func share(in other: ContentSketch) -> Double {
    guard samples.count >= ContentSketch.leastSamples else { return 0 }
    return Double(samples.intersection(other.samples).count) / Double(samples.count)
  }

  /// Pieces have 512 bytes in the mean, and one in eight is kept: 2 MiB of samples for a file of a gigabyte.
  private static var cutBits: UInt64 { 9 }
  private static var sampleBits: UInt64 { 3 }
  private static var leastSamples: Int { 4 }

  /// A number for each byte, as splitmix64 makes them.
  private static let table: [UInt64] = {
    var state: UInt64 = 0
    return (0..<256).map { _ in
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
      return z ^ z >> 31
    }
  }()
}
