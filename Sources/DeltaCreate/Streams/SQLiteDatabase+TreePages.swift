extension SQLiteDatabase {
  /// A page of the tree of a table or an index (1.6).
  struct TreePage {
    let kind: Kind
    /// The number of its last child; empty in a leaf.
    let lastChild: Range<Int>
    /// Two bytes for each cell: where it is in the page.
    let pointers: Range<Int>
    /// Where the cells begin.
    let cells: [Int]
    /// What comes after the pointers.
    let content: PageCursor

    /// What a page holds, by its first byte.
    enum Kind: UInt8 {
      case indexInterior = 0x02
      case tableInterior = 0x05
      case indexLeaf = 0x0a
      case tableLeaf = 0x0d

      var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
      var isTable: Bool { self == .tableInterior || self == .tableLeaf }
    }
  }

  /// A cell of such a page.
  struct Cell {
    /// The number of a child page; empty in a leaf.
    let child: Range<Int>
    /// Empty in an index.
    let rowID: Range<Int>
    /// Nil in the interior of a table.
    let payload: Payload?
  }

  /// Nil if the page does not look like one of a tree.
  func treePage(_ number: Int) -> TreePage? {
    let start = start(ofPage: number)
    let header = start + (number == 1 ? 100 : 0)
    guard let kind = TreePage.Kind(rawValue: file[header]) else { return nil }
    let first = header + (kind.isLeaf ? 8 : 12)
    let pointers = first..<first + 2 * Int(big16(header + 3))
    guard pointers.upperBound <= start + usable else { return nil }
    let cells = stride(from: first, to: pointers.upperBound, by: 2).map { start + Int(big16($0)) }
    return TreePage(
      kind: kind, lastChild: header + 8..<first, pointers: pointers,
      cells: cells.filter { $0 >= pointers.upperBound },
      content: PageCursor(file: file, start: pointers.upperBound, end: start + usable))
  }

  /// Nil if the page does not have all of the cell.
  func cell(_ start: Int, of page: TreePage) -> Cell? {
    let child = start..<start + (page.kind.isLeaf ? 0 : 4)
    var offset = child.upperBound
    var size: UInt64?
    if page.kind != .tableInterior {
      guard let (value, next) = page.content.varint(at: offset), value <= UInt64(file.count) else {
        return nil
      }
      (size, offset) = (value, next)
    }
    var rowID = offset..<offset
    if page.kind.isTable {
      guard let (_, next) = page.content.varint(at: offset) else { return nil }
      rowID = offset..<next
    }
    guard let size else { return Cell(child: child, rowID: rowID, payload: nil) }
    guard
      let payload = payload(
        Int(size), at: rowID.upperBound, isTable: page.kind.isTable, end: page.content.end)
    else { return nil }
    return Cell(child: child, rowID: rowID, payload: payload)
  }
}
