internal import Codec
internal import PatchFormat

/// A deflate stream of the new file, as a block tells it.
struct StreamTarget {
  let parameters: DeflateParameters
  /// Bytes of the content.
  let contentSize: UInt64
  /// Where its bytes go in the new file, in the order of the stream.
  let places: [Extent]
  /// What stands around the old stream; nil if there is none.
  let sourceWrapper: DeflateParameters.Wrapper?
  /// How many stretches of the old file the old stream is in; they follow in the block.
  let sourceCount: UInt64

  /// Parses what stands at the cursor, up to the old stream's stretches; nil if it contradicts itself.
  ///
  /// All places lie behind `position`.
  init?(
    parsing cursor: inout ByteCursor, in block: Span<UInt8>, at position: UInt64, _ head: PatchHead
  ) {
    guard cursor.remaining >= DeflateParameters.encodedSize else { return nil }
    let packed = block.extracting(cursor.offset..<cursor.offset + DeflateParameters.encodedSize)
    guard let parameters = DeflateParameters(parsing: packed.bytes) else { return nil }
    cursor.advance(by: DeflateParameters.encodedSize)
    guard let contentSize = cursor.number(in: block), contentSize > 0,
      contentSize <= UInt64(head.shape.maximumContent), let count = cursor.number(in: block), count > 0,
      count <= UInt64(PatchLimits.maximumExtents)
    else { return nil }
    var places: [Extent] = []
    places.reserveCapacity(Int(count))
    var end = position
    for _ in 0..<count {
      guard let step = cursor.number(in: block), let size = cursor.number(in: block), size > 0 else {
        return nil
      }
      let (start, overflow) = Int64(end).addingReportingOverflow(Varint.unzigzag(step))
      guard !overflow, start >= Int64(position), UInt64(start) < head.newSize,
        size <= head.newSize - UInt64(start)
      else { return nil }
      places.append(Extent(start: UInt64(start), size: size))
      end = UInt64(start) + size
    }
    guard let sourceCount = cursor.number(in: block), sourceCount <= UInt64(PatchLimits.maximumExtents) else {
      return nil
    }
    var wrapper: DeflateParameters.Wrapper?
    if sourceCount > 0 {
      guard cursor.remaining > 0, let known = DeflateParameters.Wrapper(rawValue: block[cursor.offset]) else {
        return nil
      }
      cursor.advance(by: 1)
      wrapper = known
    }
    self.parameters = parameters
    self.contentSize = contentSize
    self.places = places
    self.sourceCount = sourceCount
    sourceWrapper = wrapper
  }
}
