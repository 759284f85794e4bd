/// The pages of an SQLite database (https://sqlite.org/fileformat2.html), read without trusting them.
struct SQLiteDatabase {
  let file: UnsafeBufferPointer<UInt8>
  /// Where in the file the first page begins.
  private let begin: Int
  private let pageSize: Int
  /// Bytes of a page that are used: without those reserved at its end.
  let usable: Int
  let pageCount: Int

  /// Nil if no database begins at the front of the file (1.3) or after a header, which components have.
  init?(_ file: UnsafeBufferPointer<UInt8>) {
    guard let begin = SQLiteDatabase.begin(in: file), file.count - begin >= 512 else { return nil }
    let size = Int(file[begin + 16]) << 8 | Int(file[begin + 17])
    pageSize = size == 1 ? 65536 : size
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
    usable = pageSize - Int(file[begin + 20])
    guard usable >= 480 else { return nil }
    pageCount = (file.count - begin) / pageSize
    self.file = file
    self.begin = begin
  }

  private static func begin(in file: UnsafeBufferPointer<UInt8>) -> Int? {
    let magic = Array("SQLite format 3\0".utf8)
    return (0..<min(largestHeader, max(0, file.count - magic.count))).first { offset in
      file[offset] == magic[0] && file[offset..<offset + magic.count].elementsEqual(magic)
    }
  }

  /// The most bytes before a database.
  private static var largestHeader: Int { 64 << 10 }

  /// Where a page begins; the first has the number 1.
  func start(ofPage number: Int) -> Int { begin + (number - 1) * pageSize }

  /// A row or an index entry: its size, and where its first part is in the file.
  struct Payload {
    let size: Int
    let local: Range<Int>
    /// The page where it continues; 0 if all of it is here.
    let overflow: Int
  }

  /// The payloads of a page, if it is one that holds any (1.6): a leaf of a table, or a page of an index, which also
  /// tables without row ids are.
  ///
  /// Other pages may look like one; nothing that is found in them can be relied on.
  func payloads(ofPage number: Int) -> [Payload] {
    guard let page = treePage(number) else { return [] }
    return page.cells.compactMap { cell($0, of: page)?.payload }
  }

  /// How much of a payload is within its page (1.6, "payload-dependent parameters").
  func payload(_ size: Int, at offset: Int, isTable: Bool, end: Int) -> Payload? {
    let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard size > most else {
      return offset + size <= end ? Payload(size: size, local: offset..<offset + size, overflow: 0) : nil
    }
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (size - least) % (usable - 4)
    let local = fitting <= most ? fitting : least
    guard offset + local + 4 <= end else { return nil }
    return Payload(size: size, local: offset..<offset + local, overflow: Int(big32(offset + local)))
  }

  /// All extents of a payload; nil if its chain of overflow pages (1.7) leaves the file or ends too early.
  ///
  /// Each page that is followed is taken off `budget`: a chain that goes round in circles or is shared by many cannot cost more.
  func extents(of payload: Payload, budget: inout Int) -> Extents? {
    var ranges = [payload.local]
    var rest = payload.size - payload.local.count
    var page = payload.overflow
    while rest > 0 {
      guard page > 1, page <= pageCount, budget > 0 else { return nil }
      budget -= 1
      let start = start(ofPage: page)
      let count = min(rest, usable - 4)
      ranges.append(start + 4..<start + 4 + count)
      rest -= count
      page = Int(big32(start))
    }
    return Extents(ranges, of: file)
  }

  /// Where the blobs of a record (2.1) are in its payload.
  ///
  /// The record's header has to be in the first part of the payload, as it is unless a table has hundreds of columns.
  func blobs(of payload: Payload) -> [Range<Int>] {
    let page = PageCursor(file: file, start: payload.local.lowerBound, end: payload.local.upperBound)
    guard case (let headerSize, var offset)? = page.varint(at: payload.local.lowerBound),
      headerSize <= UInt64(payload.local.count)
    else { return [] }
    let end = payload.local.lowerBound + Int(headerSize)
    var result: [Range<Int>] = []
    var valueStart = Int(headerSize)
    while offset < end {
      guard let (type, next) = page.varint(at: offset), let size = SQLiteDatabase.valueSize(type) else {
        break
      }
      offset = next
      guard size <= payload.size - valueStart else { break }
      if type >= 12 && type & 1 == 0 { result.append(valueStart..<valueStart + size) }
      valueStart += size
    }
    return result
  }

  /// The bytes of a value by its serial type; nil for a type that does not exist, or one too large for any file.
  static func valueSize(_ type: UInt64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 10, 11: nil
    default: type < 1 << 40 ? Int(type - 12) / 2 : nil
    }
  }

  func big16(_ offset: Int) -> UInt16 { UInt16(file[offset]) << 8 | UInt16(file[offset + 1]) }

  private func big32(_ offset: Int) -> UInt32 { UInt32(big16(offset)) << 16 | UInt32(big16(offset + 2)) }
}
