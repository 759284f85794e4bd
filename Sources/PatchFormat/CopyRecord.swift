/// An operation in the column of copies; each field is LEB128.
///
/// | field | operations |
/// | --- | --- |
/// | literals before the operation | all |
/// | zigzag-encoded delta of the source | all but `numbers` |
/// | bytes, units or numbers, at least 1 | all |
package struct CopyRecord: Equatable {
  /// How many bytes of the column of literals precede the operation, since the one before.
  package let literalCount: UInt64
  /// Where the copy starts, relative to what `CopyCursors` says; nil for numbers.
  package let delta: Int64?
  /// Bytes of a copy, units of a reversed one, or numbers.
  package let count: UInt64

  package init(literalCount: UInt64, delta: Int64?, count: UInt64) {
    self.literalCount = literalCount
    self.delta = delta
    self.count = count
  }

  package func append(to bytes: inout [UInt8]) {
    Varint.append(literalCount, to: &bytes)
    if let delta { Varint.append(Varint.zigzag(delta), to: &bytes) }
    Varint.append(count, to: &bytes)
  }

  /// Parses the record of an operation; nil if the column ends first or nothing is to be made.
  package init?(parsing cursor: inout ByteCursor, in block: Span<UInt8>, of operation: PatchOperation) {
    guard let literalCount = cursor.number(in: block) else { return nil }
    if operation.source == nil {
      delta = nil
    } else {
      guard let delta = cursor.number(in: block) else { return nil }
      self.delta = Varint.unzigzag(delta)
    }
    guard let count = cursor.number(in: block), count > 0 else { return nil }
    self.literalCount = literalCount
    self.count = count
  }
}
