internal import Platform

/// The end of a zip archive (APPNOTE.TXT 4.3.16), checked before libarchive reads the directory that it leads to.
enum ZipTail {
  /// The largest directory, which libarchive keeps in memory: a million files take about a hundred megabytes.
  private static var directory: UInt64 { 256 << 20 }
  private static var record: Int { 22 }
  /// A record of its own with 64 bits, and its locator (4.3.14, 4.3.15).
  private static var zip64: UInt64 { 76 }

  /// Refuses an archive that does not end where its end record says, or whose directory is too large.
  static func check(_ file: borrowing File) throws(UnpackingError) {
    let size: UInt64
    do throws(FileError) { size = try file.size() } catch { throw .file(error) }
    let count = Int(min(size, UInt64(record + 0xffff)))
    let tail = try bytes(count, at: size - UInt64(count), of: file)
    guard tail.count >= record else { throw .damaged(cause: "truncated zip archive") }
    for start in stride(from: tail.count - record, through: 0, by: -1) {
      guard tail[start...].starts(with: [0x50, 0x4b, 5, 6]) else { continue }
      func number(_ offset: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(tail[start + offset + $1]) << (8 * UInt64($1)) }
      }
      guard start + record + Int(number(20, 2)) == tail.count else { break }
      let end = size - UInt64(tail.count - start)
      var (length, offset) = (number(12, 4), number(16, 4))
      if length == 0xffff_ffff || offset == 0xffff_ffff {
        // The directory is somewhere before the larger records.
        (length, offset) = try large(file, before: end)
      }
      guard length <= directory else { throw .tooLarge }
      guard let last = offset.addingExactly(length), last == end || last <= end - min(end, zip64) else {
        throw .damaged(cause: "the directory of the zip archive is not before its end")
      }
      return
    }
    throw .damaged(cause: "truncated zip archive, or bytes after its end")
  }

  /// Length and offset of the directory, from the record that the locator before `end` leads to.
  private static func large(
    _ file: borrowing File, before end: UInt64
  ) throws(UnpackingError) -> (UInt64, UInt64) {
    let locator = try bytes(20, at: end.subtractingExactly(20), of: file)
    let record = try bytes(56, at: locator.number(8), of: file)
    guard locator.starts(with: [0x50, 0x4b, 6, 7]), record.starts(with: [0x50, 0x4b, 6, 6]) else {
      throw .damaged(cause: "the zip archive lacks its end record of 64 bits")
    }
    return (record.number(40), record.number(48))
  }

  private static func bytes(
    _ count: Int, at offset: UInt64?, of file: borrowing File
  ) throws(UnpackingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    do throws(FileError) {
      var span = bytes.mutableSpan
      var space = span.mutableBytes
      if let offset, try file.read(into: &space, at: offset) == count { return bytes }
    } catch { throw .file(error) }
    throw .damaged(cause: "truncated zip archive")
  }
}

extension [UInt8] {
  /// Eight bytes, little-endian.
  fileprivate func number(_ offset: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(self[offset + $1]) << (8 * UInt64($1)) }
  }
}

extension UInt64 {
  fileprivate func addingExactly(_ other: UInt64) -> UInt64? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }

  fileprivate func subtractingExactly(_ other: UInt64) -> UInt64? { self < other ? nil : self - other }
}
