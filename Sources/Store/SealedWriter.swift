internal import Crypto
package import Platform

/// Writes a text file of any length whose last line is the digest of the lines before it (`docs/format/store.md`).
///
/// `SealedLines` reads it.
package struct SealedWriter: ~Copyable {
  private let file: File
  private var hasher: Hasher

  package init(_ file: consuming File) throws(Failure) {
    do throws(HasherError) { hasher = try Hasher() } catch { throw .noMemory }
    self.file = file
  }

  /// Writes whole lines, each with its line feed; the first one names the format.
  package mutating func write(_ lines: String) throws(Failure) {
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
