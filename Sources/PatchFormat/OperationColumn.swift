/// The column of operations, one byte each; it is left out if all of them are `PatchOperation.implied`.
package struct OperationColumn {
  private var cursor: ByteCursor
  private let isImplied: Bool

  /// The operations of a block.
  package init(_ layout: BlockLayout) {
    cursor = ByteCursor(layout[.operations])
    isImplied = cursor.remaining == 0
  }

  /// The bytes that are left; none if the column is left out.
  package var remaining: Int { cursor.remaining }

  /// Takes the next operation; nil if the column has no more, or the format does not define it.
  package mutating func next(in block: Span<UInt8>) -> PatchOperation? {
    if isImplied { return .implied }
    guard let byte = cursor.byte(in: block) else { return nil }
    return PatchOperation(byte)
  }

  /// Whether a column of these bytes is left out.
  static func isImplied(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 == PatchOperation.implied.byte }
  }
}
