/// Where the columns of a block are.
///
/// | size | field |
/// | --: | --- |
/// | 1 | a bit for each column that is present, the lowest for the first; not 0 |
/// | LEB128 each | the sizes of all present columns but the last |
/// | | the present columns, up to the end of the block |
///
/// The block is preceded by its own size (`BlockSize`).
package struct BlockLayout {
  private var ranges = [7 of Range<Int>](repeating: 0..<0)

  /// The most bytes that precede the columns, the block's size left out.
  package static var maximumHeader: Int { 1 + BlockSize.maximumSize * (BlockColumn.allCases.count - 1) }

  /// The bytes of a column within the block; empty if it is missing.
  package subscript(column: BlockColumn) -> Range<Int> { ranges[column.rawValue] }

  /// A block from its columns, of which at least one is not empty.
  package static func encode(_ columns: [7 of [UInt8]]) -> [UInt8] {
    var mask: UInt8 = 0
    var sizes: [UInt8] = []
    var bytes: [UInt8] = []
    let isImplied = OperationColumn.isImplied(columns[BlockColumn.operations.rawValue])
    for column in BlockColumn.allCases.reversed() {
      let index = column.rawValue
      if columns[index].isEmpty || column == .operations && isImplied { continue }
      if mask != 0 {
        var size: [UInt8] = []
        Varint.append(UInt64(columns[index].count), to: &size)
        sizes = size + sizes
      }
      mask |= 1 << UInt8(index)
    }
    bytes.append(mask)
    bytes += sizes
    for column in BlockColumn.allCases where mask >> UInt8(column.rawValue) & 1 == 1 {
      bytes += columns[column.rawValue]
    }
    return bytes
  }

  /// Parses a whole block; nil if it contradicts itself.
  package init?(parsing block: Span<UInt8>) {
    guard block.count > 0 else { return nil }
    let mask = block[0]
    guard mask != 0, mask < 1 << BlockColumn.allCases.count else { return nil }
    var sizes = [7 of Int](repeating: 0)
    var header = ByteCursor(offset: 1, end: block.count)
    var last = 0
    for column in 0..<7 where mask >> UInt8(column) & 1 == 1 { last = column }
    for column in 0..<last where mask >> UInt8(column) & 1 == 1 {
      guard let size = header.number(in: block), size <= UInt64(block.count) else { return nil }
      sizes[column] = Int(size)
    }
    var begin = header.offset
    for column in 0..<last { begin += sizes[column] }
    guard begin <= block.count else { return nil }
    sizes[last] = block.count - begin
    var end = header.offset
    for column in 0..<7 {
      ranges[column] = end..<end + sizes[column]
      end += sizes[column]
    }
  }
}
