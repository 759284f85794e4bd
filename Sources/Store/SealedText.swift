internal import Crypto
internal import Platform

/// A small text file whose last line is a checksum of the lines before it (`docs/format/store.md`).
enum SealedText {
  /// More than any line has.
  private static var maximumWords: Int { 8 }

  /// `lines`, each with its line feed, and the last line.
  static func seal(_ lines: String) throws(Failure) -> [UInt8] {
    Array((lines + "end \(try digest(Array(lines.utf8)).hex)\n").utf8)
  }

  /// The lines before the last one, each in its words; nil if the file is missing, not whole, or not of this `format`.
  ///
  /// - `format`: the first line, which is not returned.
  static func read(
    _ name: String, in root: borrowing Directory, format: String, limit: UInt64
  ) throws(Failure) -> [[String]]? {
    let bytes: [UInt8]
    do throws(Failure) {
      guard let status = try root.status(of: name), status.kind == .file, status.size <= limit else {
        return nil
      }
      bytes = try root.open(name).bytes(upTo: limit)
    } catch { return nil }
    return try lines(of: bytes, format: format)
  }

  /// The same of a file that has been read.
  static func lines(of bytes: [UInt8], format: String) throws(Failure) -> [[String]]? {
    let end = 5 + 2 * Digest.size
    guard bytes.count > end else { return nil }
    let text = Array(bytes[..<(bytes.count - end)])
    guard try seal(String(decoding: text, as: UTF8.self)) == bytes else { return nil }
    let lines = String(decoding: text, as: UTF8.self).parts(separatedBy: "\n")
    guard lines.first == format else { return nil }
    return lines.dropFirst().dropLast().map { $0.parts(separatedBy: " ", limit: maximumWords) }
  }

  private static func digest(_ bytes: [UInt8]) throws(Failure) -> Digest {
    do throws(HasherError) { return try Hasher.digest(of: bytes.span.bytes) } catch { throw .noMemory }
  }
}
