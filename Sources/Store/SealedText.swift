package import Crypto
package import Platform

/// A small text file: a line that names its format, lines of words, and a last line that shows that it is whole
/// (`docs/format/store.md`).
///
/// The last line is `end` where only a process can have stopped in the middle of writing, and else `end` and the digest of
/// the lines before. `SealedWriter` and `SealedLines` are for files of any length.
package enum SealedText {
  /// More than any line has but one with a path, which takes what is left.
  private static var maximumWords: Int { 8 }

  /// `lines`, each with its line feed and the format first, and their digest.
  package static func seal(_ lines: String) throws(Failure) -> [UInt8] {
    Array((lines + "end \(try Digest(of: Array(lines.utf8)).hex)\n").utf8)
  }

  /// The lines before the digest, each in its words; nil if the file is missing, not whole, or not of this `format`.
  ///
  /// - `format`: the first line, which is not returned.
  static func read(
    _ name: String, in root: borrowing Directory, format: String, limit: UInt64
  ) throws(Failure) -> [[String]]? {
    do throws(Failure) { return try readable(name, in: root, format: format, limit: limit) } catch {
      if case .noMemory = error { throw error }
      return nil
    }
  }

  /// The same; throws what keeps the file from being read.
  package static func readable(
    _ name: String, in root: borrowing Directory, format: String, limit: UInt64
  ) throws(Failure) -> [[String]]? {
    guard let status = try root.status(of: name), status.kind == .file, status.size <= limit else {
      return nil
    }
    return try lines(of: root.open(name).bytes(upTo: limit), format: format)
  }

  /// The same of a file that has been read.
  static func lines(of bytes: [UInt8], format: String) throws(Failure) -> [[String]]? {
    let end = 5 + 2 * Digest.size
    guard bytes.count > end else { return nil }
    let text = String(decoding: bytes[..<(bytes.count - end)], as: UTF8.self)
    return try seal(text) == bytes ? words(of: text, format: format) : nil
  }

  /// The same of a file whose last line is `end`.
  static func lines(ofEnded text: String, format: String) -> [[String]]? {
    guard text.utf8.suffix(5).elementsEqual("\nend\n".utf8) else { return nil }
    return words(of: String(decoding: Array(text.utf8.dropLast(4)), as: UTF8.self), format: format)
  }

  private static func words(of text: String, format: String) -> [[String]]? {
    let lines = text.parts(separatedBy: "\n")
    guard lines.first == format else { return nil }
    return lines.dropFirst().dropLast().map { $0.parts(separatedBy: " ", limit: maximumWords) }
  }
}

extension Digest {
  package init(of bytes: [UInt8]) throws(Failure) {
    do throws(HasherError) { self = try Hasher.digest(of: bytes.span.bytes) } catch { throw .noMemory }
  }
}
