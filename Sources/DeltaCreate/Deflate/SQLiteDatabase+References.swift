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

  /// Where a page refers to others, to its cells and to rows, if it is one of a table or an index (1.6).
  private func references(ofPage number: Int) -> [Range<Int>] {
    let start = start(ofPage: number)
    let header = start + (number == 1 ? 100 : 0)
    guard let kind = PageKind(rawValue: file[header]) else { return [] }
    let pointers = header + (kind.isLeaf ? 8 : 12)
    let cells = pointers + 2 * Int(big16(header + 3))
    let page = PageCursor(file: file, start: cells, end: start + usable)
    guard cells <= page.end else { return [] }
    var result = [header + 8..<pointers, pointers..<cells]
    var size = 0
    for pointer in stride(from: pointers, to: cells, by: 2) {
      let references = references(ofCell: start + Int(big16(pointer)), kind: kind, in: page)
      size += references.reduce(0) { $0 + $1.count }
      // Cells that lie upon each other: the page only looks like one of a tree.
      guard size <= usable else { return [] }
      result += references
    }
    return result
  }

  private func references(ofCell start: Int, kind: PageKind, in page: PageCursor) -> [Range<Int>] {
    guard page.start <= start, start + 4 <= page.end else { return [] }
    var result: [Range<Int>] = []
    var offset = start
    if !kind.isLeaf {
      offset += 4
      result.append(start..<offset)
    }
    var size = 0
    if kind != .tableInterior {
      guard let (value, next) = page.varint(at: offset), value <= UInt64(file.count) else { return result }
      size = Int(value)
      offset = next
    }
    if kind.isTable {
      guard let (_, next) = page.varint(at: offset) else { return result }
      result.append(offset..<next)
      offset = next
    }
    guard kind != .tableInterior,
      let payload = payload(size, at: offset, isTable: kind.isTable, end: page.end)
    else { return result }
    if payload.overflow > 0 {
      result.append(payload.local.upperBound..<payload.local.upperBound + 4)
    } else {
      result += kind.isTable ? references(inNode: payload) : references(inEntry: payload)
    }
    return result
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

  /// What a page of a tree holds, by its first byte.
  private enum PageKind: UInt8 {
    case indexInterior = 0x02
    case tableInterior = 0x05
    case indexLeaf = 0x0a
    case tableLeaf = 0x0d

    var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
    var isTable: Bool { self == .tableInterior || self == .tableLeaf }
  }
}
