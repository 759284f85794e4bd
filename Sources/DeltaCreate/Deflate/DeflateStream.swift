package import Codec

/// A deflate stream inside of a file.
package struct DeflateStream: Equatable, Sendable {
  /// Where its bytes are in the file, in the order of the stream, with its wrapper; none is empty, no two overlap.
  package let extents: [Range<Int>]
  /// How many bytes it inflates to.
  package let contentSize: Int
  /// What is around it within its extents.
  package let wrapper: DeflateParameters.Wrapper
  /// The parameters with which zlib makes exactly these bytes from the content.
  ///
  /// Nil if they are not known: the stream can be a source, but cannot be rebuilt.
  package let parameters: DeflateParameters?

  /// Its lowest offset in the file, which need not be that of its first byte.
  package var begin: Int { extents.map(\.lowerBound).min() ?? 0 }

  /// How many bytes it has in the file.
  package var size: Int { extents.reduce(0) { $0 + $1.count } }
}
