/// Encodes extents of a file one after the other: each as the zigzag-encoded delta from the end of the one before to its
/// start, and its size; both LEB128.
package struct ExtentChain: Equatable {
  /// Where the last extent ended.
  package private(set) var end: UInt64

  /// - `end`: what the first extent is coded relative to.
  package init(from end: UInt64 = 0) { self.end = end }

  package mutating func append(_ extent: Extent, to bytes: inout [UInt8]) {
    Varint.append(Varint.zigzag(Int64(extent.start) - Int64(end)), to: &bytes)
    Varint.append(extent.size, to: &bytes)
    end = extent.end
  }

  /// Why an extent was refused.
  package enum ParseError: Error, Equatable {
    /// The bytes end first, or it has no bytes.
    case malformed
    /// It does not lie within the bounds.
    case outOfBounds
  }

  /// Parses the next extent, which must lie within `bounds`.
  package mutating func next(
    _ cursor: inout ByteCursor, in block: Span<UInt8>, within bounds: Range<UInt64>
  ) throws(ParseError) -> Extent {
    guard let delta = cursor.number(in: block), let size = cursor.number(in: block), size > 0 else {
      throw .malformed
    }
    let (start, overflow) = Int64(end).addingReportingOverflow(Varint.unzigzag(delta))
    guard !overflow, start >= 0, bounds.contains(UInt64(start)), size <= bounds.upperBound - UInt64(start)
    else { throw .outOfBounds }
    let extent = Extent(start: UInt64(start), size: size)
    end = extent.end
    return extent
  }
}
