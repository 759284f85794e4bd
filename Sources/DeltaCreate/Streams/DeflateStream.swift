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
  package var guide: StreamGuide? = nil

  /// Nil if the stream cannot be rebuilt.
  var encoder: DeflateTarget.Encoder? {
    if let parameters { return .zlib(parameters) }
    return guide.map { .guide($0.parameters, size: UInt64($0.size)) }
  }

  /// Its lowest offset in the file, which need not be that of its first byte.
  package var begin: Int { extents.map(\.lowerBound).min() ?? 0 }

  /// How many bytes it has in the file.
  package var size: Int { extents.reduce(0) { $0 + $1.count } }
}

/// The guide of a stream that zlib does not make.
package struct StreamGuide: Equatable, Sendable {
  package let parameters: PredictorParameters
  /// As `Guide` has them, each of at most `Guide.maximumPart` bytes; one for each part of the content.
  package let parts: [[UInt8]]

  /// In bytes, with the sizes of all parts but the last.
  var size: Int { parts.reduce(0) { $0 + $1.count } + sizes.joined().count }

  private var sizes: [[UInt8]] {
    parts.dropLast().map { part in
      var bytes: [UInt8] = []
      Varint.append(UInt64(part.count), to: &bytes)
      return bytes
    }
  }

  /// What a patch makes: parts of the guide and of the content in turn.
  func made(with content: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let sizes = sizes
    var made: [UInt8] = []
    made.reserveCapacity(size + content.count)
    for (number, part) in parts.enumerated() {
      if number < sizes.count { made += sizes[number] }
      let start = number * Guide.partSize
      made += part + content[start..<min(start + Guide.partSize, content.count)]
    }
    return made
  }
}
