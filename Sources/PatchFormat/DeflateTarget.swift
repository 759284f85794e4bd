package import Codec

/// A deflate stream of the new file, in the column of targets.
///
/// | size | field |
/// | --: | --- |
/// | LEB128 | gap: bytes outside streams before the stream, from the start of the block or the end of the last stream |
/// | 3 or 7 | `DeflateParameters`, or `PredictorParameters` |
/// | LEB128 | with `PredictorParameters`: bytes of the guide, at least 1 |
/// | LEB128 | bytes of the content, at least 1 |
/// | LEB128 | number of destinations, at least 1 |
/// | | the destinations, an `ExtentChain` from the output position |
/// | LEB128 | number of sources |
/// | 1 | with sources: wrapper of the old stream |
/// | | the sources, an `ExtentChain` from the end of the last source of the section |
///
/// The gap is not part of this value: it is parsed before those bytes are made, and the output position, where the
/// destinations are coded relative to, is known after them. Nor are the sources: they are parsed one by one, so that an
/// applier need not hold them.
package struct DeflateTarget: Equatable {
  package let encoder: Encoder
  /// In bytes, without the guide.
  package let contentSize: UInt64
  /// Where the stream's bytes go in the new file, in the order of the stream.
  package let destinations: [Extent]
  /// The old stream; nil if the content is made without one.
  package let source: Source?

  /// What makes the stream out of its content.
  package enum Encoder: Equatable, Sendable {
    case zlib(DeflateParameters)
    /// A guide of that many bytes (`Guide`), without a wrapper.
    case guide(PredictorParameters, size: UInt64)
  }

  package struct Source: Equatable, Sendable {
    /// What is around the old stream.
    package let wrapper: DeflateParameters.Wrapper
    /// The number of extents of the old file that it consists of, at least 1; they follow in the column.
    package let extentCount: UInt64

    package init(_ wrapper: DeflateParameters.Wrapper, extentCount: UInt64) {
      self.wrapper = wrapper
      self.extentCount = extentCount
    }
  }

  package init(
    _ encoder: Encoder, contentSize: UInt64, destinations: [Extent], source: Source?
  ) {
    self.encoder = encoder
    self.contentSize = contentSize
    self.destinations = destinations
    self.source = source
  }

  /// The bytes that operations make for it: guide and content.
  package var madeSize: UInt64 {
    switch encoder {
    case .zlib: contentSize
    case .guide(_, let size): contentSize + size
    }
  }

  /// Appends the gap before a stream.
  package static func append(gap: UInt64, to bytes: inout [UInt8]) { Varint.append(gap, to: &bytes) }

  /// Parses the gap before the next stream; nil if the column ends first.
  package static func gap(_ cursor: inout ByteCursor, in block: Span<UInt8>) -> UInt64? {
    cursor.number(in: block)
  }

  /// The most bytes that a gap, a target and its sources take with that many destinations and sources, in files of at most
  /// `fileSize` bytes.
  package static func maximumSize(extents: Int, fileSize: UInt64) -> Int {
    let counts = 5 * Varint.maximumSize  // gap, sizes of guide and content, numbers of extents
    return counts + PredictorParameters.encodedSize + 1 + extents * 2 * Varint.size(of: 2 * fileSize)
  }

  /// Appends everything from the parameters up to the sources.
  ///
  /// - `position`: the output position.
  package func append(to bytes: inout [UInt8], at position: UInt64) {
    switch encoder {
    case .zlib(let parameters): bytes += parameters.encoded()
    case .guide(let parameters, let size):
      bytes += parameters.encoded()
      Varint.append(size, to: &bytes)
    }
    Varint.append(contentSize, to: &bytes)
    Varint.append(UInt64(destinations.count), to: &bytes)
    var chain = ExtentChain(from: position)
    for extent in destinations { chain.append(extent, to: &bytes) }
    Varint.append(source?.extentCount ?? 0, to: &bytes)
    if let source { bytes.append(source.wrapper.rawValue) }
  }

  /// Parses everything from the parameters up to the sources; nil if it contradicts itself or the head.
  ///
  /// No destination begins before `position`.
  package init?(
    parsing cursor: inout ByteCursor, in block: Span<UInt8>, at position: UInt64, head: PatchHead
  ) {
    guard let encoder = Encoder(parsing: &cursor, in: block), let contentSize = cursor.number(in: block),
      contentSize > 0,
      contentSize <= PatchLimits.maximumFile, let count = cursor.number(in: block), count > 0,
      count <= UInt64(PatchLimits.maximumExtents), position <= head.newSize
    else { return nil }
    var destinations: [Extent] = []
    destinations.reserveCapacity(Int(count))
    var chain = ExtentChain(from: position)
    do throws(ExtentChain.ParseError) {
      for _ in 0..<count {
        destinations.append(try chain.next(&cursor, in: block, within: position..<head.newSize))
      }
    } catch { return nil }
    guard let sourceCount = cursor.number(in: block), sourceCount <= UInt64(PatchLimits.maximumExtents) else {
      return nil
    }
    if sourceCount > 0 {
      guard let byte = cursor.byte(in: block), let wrapper = DeflateParameters.Wrapper(rawValue: byte) else {
        return nil
      }
      source = Source(wrapper, extentCount: sourceCount)
    } else {
      source = nil
    }
    self.encoder = encoder
    self.contentSize = contentSize
    self.destinations = destinations
  }
}

extension DeflateTarget.Encoder {
  /// Parses the parameters, and the size of a guide.
  fileprivate init?(parsing cursor: inout ByteCursor, in block: Span<UInt8>) {
    let bytes = block.extracting(cursor.offset..<cursor.end)
    if let parameters = DeflateParameters(parsing: bytes.bytes) {
      cursor.advance(by: DeflateParameters.encodedSize)
      self = .zlib(parameters)
      return
    }
    guard let parameters = PredictorParameters(parsing: bytes) else { return nil }
    cursor.advance(by: PredictorParameters.encodedSize)
    guard let size = cursor.number(in: block), (1...PatchLimits.maximumFile).contains(size) else {
      return nil
    }
    self = .guide(parameters, size: size)
  }
}
