internal import Crypto
package import Platform

/// Writes a text file of any length whose last line is the digest of the lines before it (`docs/format/store.md`).
///
/// `SealedLines` reads it.
package struct SealedWriter: ~Copyable {
  private let file: File
  private var hasher: Hasher

  /// - `format`: the first line.
  package init(_ file: consuming File, format: String) throws(Failure) {
    var hasher: Hasher
    do throws(HasherError) { hasher = try Hasher() } catch { throw .noMemory }
    try SealedWriter.write("\(format)\n", to: file, hasher: &hasher)
    self.file = file
    self.hasher = hasher
  }

  /// Writes whole lines, each with its line feed.
  package mutating func write(_ lines: String) throws(Failure) {
    try SealedWriter.write(lines, to: file, hasher: &hasher)
  }

  private static func write(
    _ lines: String, to file: borrowing File, hasher: inout Hasher
  ) throws(Failure) {
    let bytes = Array(lines.utf8)
    do throws(HasherError) { try hasher.update(bytes.span.bytes) } catch { throw .noMemory }
    try file.write(bytes.span.bytes)
  }

  /// Writes the last line; the file is the caller's to flush.
  package consuming func finish() throws(Failure) -> File {
    let digest: Digest
    do throws(HasherError) { digest = try hasher.finish() } catch { throw .noMemory }
    try file.write("end \(digest.hex)\n")
    return file
  }
}
