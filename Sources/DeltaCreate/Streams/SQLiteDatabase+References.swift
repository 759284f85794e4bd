extension SQLiteDatabase {
  /// The file with zeros in place of what refers to rows, cells and pages.
  ///
  /// When rows are written anew, their ids and the offsets of their cells change on every page, the rows do not.
  func withoutReferences() -> [UInt8] {
    var bytes = Array(file)
    for number in stride(from: 1, through: pageCount, by: 1) {
      for range in references(ofPage: number) { for offset in range { bytes[offset] = 0 } }
    }
    return bytes
  }

  /// Where a page refers to others, to its cells and to rows, if it is one of a tree.
  private func references(ofPage number: Int) -> [Range<Int>] {
    guard let page = treePage(number) else { return [] }
    var result = [page.lastChild, page.pointers]
    var size = 0
    for start in page.cells {
      guard let cell = cell(start, of: page) else { continue }
      let references = references(of: cell, isTable: page.kind.isTable)
      size += references.reduce(0) { $0 + $1.count }
      // Cells that lie upon each other: the page only looks like one of a tree.
      guard size <= usable else { return [] }
      result += references
    }
    return result
  }

  private func references(of cell: Cell, isTable: Bool) -> [Range<Int>] {
    let own = [cell.child, cell.rowID]
    guard let payload = cell.payload else { return own }
    if payload.overflow > 0 { return own + [payload.local.upperBound..<payload.local.upperBound + 4] }
    return own + (isTable ? references(inNode: payload) : references(inEntry: payload))
  }

  /// Where an entry of an index has the id of its row: its last value, an integer.
  private func references(inEntry payload: Payload) -> [Range<Int>] {
    guard let type = lastType(of: payload), 1...6 ~= type, let size = SQLiteDatabase.valueSize(type),
      size <= payload.local.count
    else { return [] }
    return [payload.local.upperBound - size..<payload.local.upperBound]
  }

  /// Where a node of an R-tree with two dimensions has ids of rows: of each box, the first eight of 24 bytes, after a depth
  /// and a count of two bytes each (https://sqlite.org/rtree.html, 5).
  private func references(inNode payload: Payload) -> [Range<Int>] {
    blobs(of: payload).flatMap { (blob) -> [Range<Int>] in
      let start = payload.local.lowerBound + blob.lowerBound
      guard blob.count >= 4, file[start] == 0 else { return [] }
      let count = Int(big16(start + 2))
      guard 4 + 24 * count <= blob.count else { return [] }
      return (0..<count).map { start + 4 + 24 * $0..<start + 12 + 24 * $0 }
    }
  }

  /// The serial type of the last value of a record (2.1).
  private func lastType(of payload: Payload) -> UInt64? {
    let record = PageCursor(file: file, start: payload.local.lowerBound, end: payload.local.upperBound)
    guard case (let size, var offset)? = record.varint(at: record.start), size <= UInt64(payload.local.count)
    else { return nil }
    let end = record.start + Int(size)
    var last: UInt64?
    while offset < end, let (type, next) = record.varint(at: offset) {
      last = type
      offset = next
    }
    return last
  }
}
