/// A pair in the column of runs: bytes of copies that equal their source, then bytes that differ; both LEB128.
///
/// Runs cross the boundaries of copies, but not of blocks. After the last one, all bytes are equal.
package struct DifferenceRun: Equatable {
  package var equal: UInt64
  package var different: UInt64

  package init(equal: UInt64, different: UInt64) {
    self.equal = equal
    self.different = different
  }

  package func append(to bytes: inout [UInt8]) {
    Varint.append(equal, to: &bytes)
    Varint.append(different, to: &bytes)
  }

  /// Parses a pair; nil if the column ends first.
  package init?(parsing cursor: inout ByteCursor, in block: Span<UInt8>) {
    guard let equal = cursor.number(in: block), let different = cursor.number(in: block) else { return nil }
    self.equal = equal
    self.different = different
  }
}
