/// A read position in a range of bytes, such as a column of a block.
///
/// It holds no bytes, so that the cursors of several columns can move side by side.
package struct ByteCursor {
  package private(set) var offset: Int
  package let end: Int

  package init(offset: Int, end: Int) {
    self.offset = offset
    self.end = end
  }

  /// A cursor at the front of a range of bytes.
  package init(_ range: Range<Int>) { self.init(offset: range.lowerBound, end: range.upperBound) }

  package var remaining: Int { end - offset }

  /// Skips `count` bytes, at most `remaining`.
  package mutating func advance(by count: Int) { offset += count }

  /// Takes the next byte; nil at the end.
  package mutating func byte(in bytes: Span<UInt8>) -> UInt8? {
    guard remaining > 0 else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Takes the next little-endian integer; nil if the bytes end first.
  ///
  /// After nil the cursor is where it was.
  package mutating func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    in bytes: Span<UInt8>
  ) -> Integer? {
    guard remaining >= MemoryLayout<Integer>.size, let value: Integer = bytes.bytes.integer(at: offset) else {
      return nil
    }
    offset += MemoryLayout<Integer>.size
    return value
  }

  /// Takes the next number, in LEB128; nil if the bytes end first or it is not in its shortest form.
  ///
  /// After nil the cursor is where it was.
  package mutating func number(in bytes: Span<UInt8>) -> UInt64? {
    var number = VarintParser()
    for index in offset..<end {
      switch number.take(bytes[index]) {
      case .partial: continue
      case .whole(let value):
        offset = index + 1
        return value
      case .invalid: return nil
      }
    }
    return nil
  }
}
