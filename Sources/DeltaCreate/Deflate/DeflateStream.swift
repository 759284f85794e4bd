package import Codec
internal import PatchFormat

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
  /// Nil if they are not known.
  package let parameters: DeflateParameters?
  /// What makes exactly these bytes if zlib does not.
  package let guide: StreamGuide?

  /// Nil if the stream cannot be rebuilt.
  var encoder: DeflateTarget.Encoder? {
    if let parameters { return .zlib(parameters) }
    return guide.map { .guide($0.parameters, size: $0.bytes.count) }
  }

  package init(
    extents: [Range<Int>], contentSize: Int, wrapper: DeflateParameters.Wrapper,
    parameters: DeflateParameters?,
    guide: StreamGuide? = nil
  ) {
    self.extents = extents
    self.contentSize = contentSize
    self.wrapper = wrapper
    self.parameters = parameters
    self.guide = guide
  }

  /// Its lowest offset in the file, which need not be that of its first byte.
  package var begin: Int { extents.map(\.lowerBound).min() ?? 0 }

  /// How many bytes it has in the file.
  package var size: Int { extents.reduce(0) { $0 + $1.count } }
}

/// The guide of a stream that zlib does not make.
package struct StreamGuide: Equatable, Sendable {
  package let parameters: PredictorParameters
  /// As `Guide` has it.
  package let bytes: [UInt8]
}
