internal import Platform

/// The names in a zip archive, which are there twice: in the directory (APPNOTE.TXT 4.3.12) and before each file (4.3.7).
///
/// Programs read one or the other, so where they differ, two of them would unpack different maps.
enum ZipNames {
  private static var entry: Int { 46 }
  private static var local: Int { 30 }

  /// Refuses an archive with an entry whose two names differ.
  static func check(_ file: borrowing File, directory: Range<UInt64>) throws(UnpackingError) {
    let bytes = try ZipTail.bytes(directory.count, at: directory.lowerBound, of: file)
    var position = 0
    while position + entry <= bytes.count, bytes[position...].starts(with: [0x50, 0x4b, 1, 2]) {
      let nameCount = Int(bytes.number(position + 28, bytes: 2))
      let extraCount = Int(bytes.number(position + 30, bytes: 2))
      let next = position + entry + nameCount + extraCount + Int(bytes.number(position + 32, bytes: 2))
      guard next <= bytes.count else { throw .damaged(cause: "truncated directory of the zip archive") }
      let name = bytes[(position + entry)...].prefix(nameCount)
      let extra = Array(bytes[(position + entry + nameCount)...].prefix(extraCount))
      let offset = try offset(bytes, of: position, extra: extra)
      try check(name, at: offset, of: file)
      position = next
    }
  }

  private static func check(
    _ name: ArraySlice<UInt8>, at offset: UInt64, of file: borrowing File
  ) throws(UnpackingError) {
    let header = try ZipTail.bytes(local, at: offset, of: file)
    guard header.starts(with: [0x50, 0x4b, 3, 4]) else {
      throw .damaged(cause: "the directory of the zip archive leads to something else than a file")
    }
    let count = Int(header.number(26, bytes: 2))
    // Within what fits, since the header was read there.
    let other = try ZipTail.bytes(count, at: offset + UInt64(local), of: file)
    guard other.elementsEqual(name) else {
      throw .damaged(
        cause: "a file is called \"\(text(name))\" in its directory, and \"\(text(other[...]))\" before it")
    }
  }

  /// Where the file of an entry begins: in the entry, or in its extra field of 64 bits (4.5.3).
  private static func offset(
    _ bytes: [UInt8], of position: Int, extra: [UInt8]
  ) throws(UnpackingError) -> UInt64 {
    let offset = bytes.number(position + 42, bytes: 4)
    guard offset == 0xffff_ffff else { return offset }
    // The two sizes come first, if they have 64 bits as well.
    let before = [20, 24].count { bytes.number(position + $0, bytes: 4) == 0xffff_ffff } * 8
    var field = 0
    while field + 4 <= extra.count {
      let (kind, count) = (extra.number(field, bytes: 2), Int(extra.number(field + 2, bytes: 2)))
      if kind == 1, before + 8 <= count, field + 4 + count <= extra.count {
        return extra.number(field + 4 + before, bytes: 8)
      }
      field += 4 + count
    }
    throw .damaged(cause: "the directory of the zip archive lacks an offset of 64 bits")
  }

  private static func text(_ name: ArraySlice<UInt8>) -> String { String(decoding: name, as: UTF8.self) }
}
