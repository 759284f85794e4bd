internal import Platform

/// The end of a zip archive (APPNOTE.TXT 4.3.16), checked before libarchive reads the directory that it leads to.
struct ZipTail {
  /// Where the archive ends; only zeros follow.
  let end: UInt64
  /// The bytes of the directory.
  let directory: Range<UInt64>

  /// The largest directory, which libarchive keeps in memory: a million files take about a hundred megabytes.
  private static var largestDirectory: UInt64 { 256 << 20 }
  private static var record: Int { 22 }
  private static var longestComment: Int { 0xffff }
  /// A record of its own with 64 bits, and its locator (4.3.14, 4.3.15).
  private static var zip64: UInt64 { 76 }

  /// Refuses an archive that does not end where its end record says, or whose directory is too large.
  init(of file: borrowing File) throws(UnpackingError) {
    let (tail, offset, content) = try ZipTail.window(file)
    guard tail.count >= ZipTail.record else { throw .damaged(cause: "truncated zip archive") }
    for start in stride(from: tail.count - ZipTail.record, through: 0, by: -1) {
      guard tail[start...].starts(with: [0x50, 0x4b, 5, 6]) else { continue }
      let position = offset + UInt64(start)
      let length = ZipTail.record + Int(tail.number(start + 20, bytes: 2))
      // A comment may end with zeros, and zeros may follow the archive.
      guard start + length <= tail.count, position + UInt64(length) >= content else { break }
      end = position + UInt64(length)
      directory = try ZipTail.directory(of: file, record: tail[start...], at: position)
      return
    }
    throw .damaged(cause: "truncated zip archive, or bytes after its end")
  }

  /// The bytes where the end record must be, the offset of the first of them, and where the zeros at the end of the file
  /// begin.
  private static func window(
    _ file: borrowing File
  ) throws(UnpackingError) -> (bytes: [UInt8], offset: UInt64, content: UInt64) {
    let size: UInt64
    do throws(Failure) { size = try file.size() } catch { throw .file(error) }
    let content = try ZipTail.content(of: file, size: size)
    let reach = UInt64(record + longestComment)
    let offset = content - min(content, reach)
    let count = Int(min(size, content + reach) - offset)
    return (try bytes(count, at: offset, of: file), offset, content)
  }

  /// The position after the last byte that is not zero.
  private static func content(of file: borrowing File, size: UInt64) throws(UnpackingError) -> UInt64 {
    var end = size
    while end > 0 {
      let count = min(end, 64 << 10)
      let piece = try bytes(Int(count), at: end - count, of: file)
      if let last = piece.lastIndex(where: { $0 != 0 }) { return end - count + UInt64(last) + 1 }
      end -= count
    }
    return 0
  }

  private static func directory(
    of file: borrowing File, record: ArraySlice<UInt8>, at position: UInt64
  ) throws(UnpackingError) -> Range<UInt64> {
    let record = Array(record)
    var (length, offset) = (record.number(12, bytes: 4), record.number(16, bytes: 4))
    if length == 0xffff_ffff || offset == 0xffff_ffff {
      // The directory is somewhere before the larger records.
      (length, offset) = try large(file, before: position)
    }
    guard length <= largestDirectory else { throw .tooLarge }
    guard let last = offset.addingExactly(length), last == position || last <= position - min(position, zip64)
    else { throw .damaged(cause: "the directory of the zip archive is not before its end") }
    return offset..<last
  }

  /// Length and offset of the directory, from the record that the locator before `end` leads to.
  private static func large(
    _ file: borrowing File, before end: UInt64
  ) throws(UnpackingError) -> (UInt64, UInt64) {
    let locator = try bytes(20, at: end.subtractingExactly(20), of: file)
    let record = try bytes(56, at: locator.number(8, bytes: 8), of: file)
    guard locator.starts(with: [0x50, 0x4b, 6, 7]), record.starts(with: [0x50, 0x4b, 6, 6]) else {
      throw .damaged(cause: "the zip archive lacks its end record of 64 bits")
    }
    return (record.number(40, bytes: 8), record.number(48, bytes: 8))
  }

  static func bytes(
    _ count: Int, at offset: UInt64?, of file: borrowing File
  ) throws(UnpackingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    do throws(Failure) {
      var span = bytes.mutableSpan
      var space = span.mutableBytes
      if let offset, try file.read(into: &space, at: offset) == count { return bytes }
    } catch { throw .file(error) }
    throw .damaged(cause: "truncated zip archive")
  }
}

extension [UInt8] {
  /// A little-endian number of up to eight bytes, all of which are there.
  func number(_ offset: Int, bytes: Int) -> UInt64 {
    (0..<bytes).reduce(0) { $0 | UInt64(self[offset + $1]) << (8 * UInt64($1)) }
  }
}

extension UInt64 {
  fileprivate func addingExactly(_ other: UInt64) -> UInt64? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }

  fileprivate func subtractingExactly(_ other: UInt64) -> UInt64? { self < other ? nil : self - other }
}
